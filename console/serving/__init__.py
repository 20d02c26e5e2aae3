"""How requests reach the house: the ASGI parts in front of Django, and what lives as long as the server does."""
