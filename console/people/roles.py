"""What a group of people may do; each role is a Django group of the same name."""

from enum import StrEnum


class Role(StrEnum):
    """The three roles. A person may have several; one without any may only look."""

    OPERATOR = "operator"  # decides cases
    SRE = "sre"  # watches tools, commands breakers
    ADMIN = "admin"  # makes and revokes agents' keys, invites people
