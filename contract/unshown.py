"""What is said of a member that only public documents promise, where a profile says that its target has none such."""

NO_SUCH_MEMBERS = "the profile says that the target has no such members: platform_members in [dialect]"
"""The reason of a check that ends so. Both sides mean the same by it: who ends it, and who judges the requirement."""
