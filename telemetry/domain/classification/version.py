"""The version of the rule set, stored with every classification so that a change can be back-filled."""

VERSION = "6"
