"""Helpers without domain words: they import no app and know no table."""
