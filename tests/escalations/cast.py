"""People with rows, for what asks who there is: operators, an administrator, and a policy by name."""

from console.kit.actor import Actor, ActorKind
from escalations import contract, operations
from tests import factories
from tests.escalations import made

ADMIN = Actor(ActorKind.PERSON, "20", "root", frozenset({"admin"}))


def person(name, *roles):
    """Make a person; give them as an actor."""
    row = factories.person(name, *roles)
    return Actor(ActorKind.PERSON, str(row.pk), name, frozenset(roles))


def policy(name="upgrades", *, match=None, effect=None, by=ADMIN, at=made.NOON, **more):
    """Set a policy; one that decides expires in a month."""
    told = {"match": match or {"tool": "upgrade.*"}, "effect": effect or {}, **more}
    if "decide" in told["effect"]:
        told.setdefault("expires_at", made.later(days=30).isoformat())
    said = contract.SetPolicy.model_validate_json(made.as_json(told))
    return operations.set_policy(name=name, said=said, by=by, at=at)


def team(name="desk", people=("ana", "ben"), *, by=ADMIN, at=made.NOON, **more):
    """Set a team whose week begins on Monday at nine, UTC."""
    told = {"people": list(people), "since": "2026-11-30", **more}
    said = contract.SetTeam.model_validate_json(made.as_json(told))
    return operations.set_team(name=name, said=said, by=by, at=at)


def gift(points=10, **more):
    """Give a package whose only plan gives points away."""
    step = made.step("s1", "points.give", args={"points": points}, **more.pop("step", {}))
    plan = {**made.keep_seat(), "id": "P", "title": "Give points", "steps": [step]}
    failure = {"call_id": "c", "tool": "points.give", "class": "hard", "code": "LIMIT", "args": step["args"]}
    return {"proposals": [plan], "failure": failure, "title": f"A gift of {points}", **more}


GIVES = {"tool": "points.*", "arguments": [{"path": "points", "is": "at_most", "value": 100}]}
GIVING = {"decide": {"action": "approve", "tools": ["points.give"], "writes": True, "undo_s": 0}}
