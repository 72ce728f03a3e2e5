"""The door: the command ``gateway-conformance``, and the name under which the project is installed.

The packages behind it (``contract``, ``fixtures``, ``suites``, ``reports``, ``emulator``) import each other by these
short names. In the repository they stand at the top. In an installed environment names like ``fixtures`` at the top of
site-packages would get in the way of others, so the wheel puts them below this package, and the command, and only the
command, adds that place to the module search path (:mod:`gateway_conformance.place`).
"""
