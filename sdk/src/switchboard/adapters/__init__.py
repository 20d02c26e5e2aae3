"""The toolbox in other people's frameworks. Each module is imported by itself; importing the SDK imports none."""
