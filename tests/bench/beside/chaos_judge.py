"""Reads the console's books after `manage.py bench chaos`: which tasks have a case, and how each case stands."""

import json

import django

django.setup()

from escalations.models import Case  # noqa: E402  # after the set-up

rows = Case.objects.values_list("goal", "decision", "execution")
print(json.dumps([[goal.removeprefix("Trip "), decision, execution] for goal, decision, execution in rows]))
