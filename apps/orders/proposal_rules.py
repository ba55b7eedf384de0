"""Pure rules of proposals: what a decided one makes of the ordered pieces, and in words."""

from dataclasses import dataclass
from datetime import datetime

from django.conf import settings

from apps.common.money import dollars
from apps.common.texts import Text
from apps.orders.models import LineProposal

Kind, State, Answer = LineProposal.Kind, LineProposal.State, LineProposal.Answer
MOST_DAYS = 20  # business days from a proposal to its answer


@dataclass(frozen=True)
class Pieces:
    """Where the ordered pieces of a proposal went; their sum is what was ordered.

    `declined` are given up by an answer, `expired` by silence.
    """

    confirmed: int = 0
    declined: int = 0
    replaced: int = 0
    later: int = 0
    expired: int = 0
    open: int = 0

    @property
    def ordered(self) -> int:
        """Return all of them."""
        return sum(vars(self).values())


def pieces_of(proposal: LineProposal) -> Pieces:
    """Return where the pieces of a proposal's line went; of one that was taken back they are all
    still there.
    """
    ordered = proposal.ordered_pieces
    lost = "expired" if proposal.state == State.EXPIRED else "declined"
    if proposal.state == State.OPEN:
        return Pieces(open=ordered)
    if proposal.applied == Answer.DECLINE:
        return Pieces(**{lost: ordered})
    if proposal.state == State.WITHDRAWN or proposal.kind == Kind.PRICE:
        return Pieces(confirmed=ordered)
    if proposal.kind == Kind.SUBSTITUTE:
        return Pieces(replaced=ordered)
    rest = "later" if proposal.kind == Kind.LATER else lost
    return Pieces(confirmed=proposal.pieces, **{rest: ordered - proposal.pieces})


WHYS = {
    LineProposal.Reason.SHORT_DATED: Text("short-dated"),
    LineProposal.Reason.DAMAGED: Text("damaged box"),
    LineProposal.Reason.RAISED: Text("the maker's price rose"),
    LineProposal.Reason.OTHER: Text("other"),
}


def proposed(proposal: LineProposal) -> Text:
    """Return what is proposed, in words: `10 now, 10 about Fri 11 Dec`."""
    pieces = proposal.pieces
    match proposal.kind:
        case Kind.LATER:
            return Text(
                "%(pieces)s now, %(later)s about %(day)s",
                pieces=pieces,
                later=proposal.later,
                day=proposal.expected_on,
            )
        case Kind.SUBSTITUTE if proposal.product is not None:
            return Text(
                "%(pieces)s × %(product)s at %(price)s",
                pieces=pieces,
                product=f"{proposal.product.eng_name} ({proposal.product.sku})",
                price=dollars(proposal.price),
            )
        case Kind.PRICE:
            return Text(
                "%(pieces)s at %(price)s instead of %(was)s, %(why)s",
                pieces=pieces,
                price=dollars(proposal.price),
                was=dollars(proposal.ordered_price),
                why=WHYS[LineProposal.Reason(proposal.reason)],
            )
    rest = proposal.ordered_pieces - pieces
    return Text("%(pieces)s now, %(rest)s dropped", pieces=pieces, rest=rest)


def silence(proposal: LineProposal) -> Text:
    """Return what happens without an answer, in words."""
    is_accepted = proposal.unanswered == Answer.ACCEPT
    return Text("accepted") if is_accepted else Text("the line is dropped")


def deadline_text(moment: datetime) -> str:
    """Return until when an answer counts, in the seller's time and the language of the page: `Tue
    24 Nov, 18:00 Seoul`.
    """
    city = settings.TIME_ZONE.rpartition("/")[2].replace("_", " ")
    place = Text("Seoul") if city == "Seoul" else city
    return str(Text("%(moment)s %(city)s", moment=moment, city=place))
