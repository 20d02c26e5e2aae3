"""Seats and passes: a wish no seat word fits, parties that were seated in part."""

import switchboard as sb
from console.demo.agents.plans.forms import SEAT_WORDS, Schema, fixed, form, text, word, yes_or_no
from console.demo.agents.plans.steps import issue, tell
from console.demo.agents.trip import Trip, more


def no_such_seat(trip: Trip) -> sb.Offer:
    """The traveller's own words fit no seat word and the model has no more ideas."""
    wish = str(trip.wish["seat"])
    plans = [
        sb.Plan(
            "A",
            "retry",
            "选靠过道座位，并避开最后一排" if trip.chinese else "An aisle seat, not in the last row",
            (_select(trip, "aisle", avoid=True),),
            rationale="The wish names an aisle; the last row is a field of its own.",
            risk="The row is a wish to the carrier, not a promise.",
            recommended=True,
        ),
        sb.Plan(
            "B",
            "degrade",
            "任意座位，并告知旅客" if trip.chinese else "Any seat, and say so",
            (
                _select(trip, "any", avoid=False),
                tell(trip, f"您的座位意愿“{wish}”无法完全满足，已为您选座。", after="seat"),
            ),
            rationale="The flight is filling up.",
        ),
    ]
    answer = form(seat_pref=word(SEAT_WORDS, "Seat"), note=text("Note", least=0, most=200, optional=True))
    title = f"座位意愿“{wish}”没有对应的座位词" if trip.chinese else f"Seat wish {wish} fits no seat word"
    question = answer | {"title": "Which seat is meant?"}
    return sb.Offer(title, plans, question=question, more=more("low", trip.due(28)))


def seated_in_part(trip: Trip, result: sb.Result) -> sb.Offer:
    """Most of the party sits, somebody does not; the carrier names a free seat."""
    refused = [item.key for item in result.items if item.failure is not None]
    good, person = len(result.items) - len(refused), refused[0]
    near = _named_seat(result)
    plans = [
        sb.Plan(
            "A",
            "continue",
            f"Seat {person} in {near} and issue all passes",
            (
                _assign(trip, person, near),
                issue(trip, after="seat"),
                tell(trip, "Your seats are assigned.", after="pass", whom=str(trip.wish["group"])),
            ),
            rationale=f"{near} is the nearest free seat.",
            risk="Passes cannot be called back.",
            recommended=True,
        ),
        sb.Plan(
            "B",
            "degrade",
            f"Issue passes for the {good} who sit, {person} at the counter",
            (issue(trip, without=person),),
            rationale="The counter can still move people.",
        ),
    ]
    title = f"Seats for a group of {len(result.items)}: {good} seated, {len(refused)} refused"
    return sb.Offer(title, plans, more=more("medium", trip.due(26)))


def scattered(trip: Trip) -> sb.Offer:
    """There is no row in which all sit together: a question of taste, asked in the group's language."""
    answer = form(
        keep_together=yes_or_no("必须坐在一起（可改签下一班）"),
        rows={"type": "integer", "minimum": 1, "maximum": 4, "title": "最多分在几排", "optional": True},
        message=text("给领队的话", least=0, most=200, optional=True),
    )
    title = f"{trip.wish['group']} 团 {trip.wish['size']} 人无法坐在同一排，如何安排？"
    question = answer | {"title": "如何安排座位？"}
    return sb.Offer(title, question=question, more=more("low", trip.due(35), allowed=["respond", "reject"]))


def passes_in_part(trip: Trip, person: str) -> sb.Offer:
    """Somebody's document does not pass; the others have their passes and cannot be called back."""
    plans = [
        sb.Plan(
            "A",
            "continue",
            f"Ask {person} for a document, then issue the one pass",
            (
                tell(trip, "Your document expires too early. Please send a valid one.", whom=person),
                issue(trip, after="tell", only=person),
            ),
            rationale="The others are checked in.",
            risk="The pass is refused again if no valid document comes in time.",
            recommended=True,
        ),
        _airport_desk(trip, "B", person),
    ]
    title = f"Passes for {trip.wish['group']}: {person} refused at the document check"
    return sb.Offer(title, plans, more=more("medium", trip.due(30)))


def still_refused(trip: Trip, person: str) -> sb.Offer:
    """The approved plan was done in part: what remains is the next revision of the same case."""
    title = f"Pass for {person} refused again; the others of {trip.wish['group']} are checked in"
    plan = _airport_desk(trip, "A", person, recommended=True)
    return sb.Offer(title, [plan], more=more("medium", trip.due(45)))


def _airport_desk(trip: Trip, name: str, person: str, *, recommended: bool = False) -> sb.Plan:
    said = "Please come to the airport desk with your documents."
    return sb.Plan(
        name,
        "degrade",
        f"Hand {person} to the airport desk",
        (tell(trip, said, whom=person),),
        rationale="The desk can check originals.",
        recommended=recommended,
    )


def _assign(trip: Trip, person: str, near: str) -> sb.PlanStep:
    group = str(trip.wish["group"])
    seat: Schema = {"type": "string", "pattern": "^[0-9]{1,2}[A-F]$", "title": "Seat"}
    return sb.PlanStep(
        "seat.assign",
        {"flight": trip.flight, "seat": near, "traveller": person, "party": group},
        id="seat",
        args_schema=form(
            flight=fixed(trip.flight, "The flight."),
            seat=seat,
            traveller=fixed(person, "Who has no seat."),
            party=fixed(group, "The group."),
        ),
        note=f"The carrier names {near} as free.",
    )


def _named_seat(result: sb.Result) -> str:
    """The free seat in the carrier's hint about the first who was refused."""
    hints = [item.failure.hint for item in result.items if item.failure is not None and item.failure.hint]
    return hints[0].split()[0] if hints else "30C"


def _select(trip: Trip, pref: str, *, avoid: bool) -> sb.PlanStep:
    return sb.PlanStep(
        "seat.select",
        {"hold": trip.hold, "seat_pref": pref, "traveller": trip.traveller, "avoid_last_row": avoid},
        id="seat",
        args_schema=form(
            hold=fixed(trip.hold, "The booking."),
            seat_pref=word(SEAT_WORDS, "Seat"),
            traveller=fixed(trip.traveller, "The traveller."),
            avoid_last_row=yes_or_no("Not in the last row", optional=True),
        ),
    )
