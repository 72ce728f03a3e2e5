"""The hosted payment page: what the payer is asked, what is let through, and where the payer goes afterwards.

The page knows nothing of payments. It turns a posted form into an entry (``entries``), hands it to the payments that
``PageBehaviour.payments`` names, and shows the outcome (``outcomes``).
"""
