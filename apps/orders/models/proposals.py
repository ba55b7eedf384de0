"""What the seller proposes of an ordered line, and what the buyer answers."""

from decimal import Decimal

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _, pgettext_lazy

from apps.catalog.models import Product
from apps.common.db.columns import moment_field, money_field, person_field
from apps.common.money import ZERO
from apps.orders.models.orders import Order, OrderLine


class LineProposal(models.Model):
    """A proposal for one line: what was ordered, what is proposed by whom, what was decided by whom
    and when.

    What was ordered and what is proposed is written once; a closed proposal never changes again.
    """

    class Kind(models.TextChoices):
        FEWER = "fewer", _("Fewer now")
        LATER = "later", _("Fewer, rest later")
        SUBSTITUTE = "substitute", _("Substitute")
        PRICE = "price", _("Other price")

    class State(models.TextChoices):
        OPEN = "open", pgettext_lazy("proposal", "Open")
        ACCEPTED = "accepted", _("Accepted")
        DECLINED = "declined", _("Declined")
        EXPIRED = "expired", _("Expired")
        WITHDRAWN = "withdrawn", _("Taken back")

    class Answer(models.TextChoices):
        ACCEPT = "accept", _("Accepted")
        DECLINE = "decline", _("Declined")

    class Reason(models.TextChoices):
        NONE = "", "–"
        SHORT_DATED = "short_dated", _("Short-dated")
        DAMAGED = "damaged", _("Damaged box")
        RAISED = "raised", _("The maker's price rose")
        OTHER = "other", _("Other")

    order = models.ForeignKey(Order, models.PROTECT, related_name="proposals")
    line = models.ForeignKey(OrderLine, models.PROTECT, related_name="proposals")
    kind = models.CharField(max_length=10, choices=Kind)
    ordered_pieces = models.PositiveIntegerField(help_text="of the line when it was proposed")
    ordered_price = money_field(help_text="wholesale, of the line when it was proposed")
    pieces = models.PositiveIntegerField(
        help_text="proposed to be sent now; of the substitute, where there is one"
    )
    price = money_field(help_text="of one piece that is sent")
    product = models.ForeignKey(
        Product, models.PROTECT, null=True, blank=True, related_name="+", db_index=False
    )
    expected_on = models.DateField(
        null=True, blank=True, help_text="when the later pieces are expected"
    )
    reason = models.CharField(
        max_length=12, choices=Reason, default="", blank=True, help_text="of another price"
    )
    comment = models.CharField(
        max_length=300, blank=True, help_text="the seller's words to the buyer"
    )
    difference = money_field(help_text="what accepting it adds to the order's price")
    held = models.PositiveIntegerField(
        default=0, help_text="pieces of the substitute promised while it is open"
    )
    unanswered = models.CharField(
        max_length=8, choices=Answer, help_text="what applies without an answer"
    )
    proposed_by = person_field(db_index=False)
    proposed_at = models.DateTimeField()
    answer_by = models.DateTimeField()
    question = models.CharField(max_length=500, blank=True, help_text="the buyer's newest")
    asked_at = moment_field()
    state = models.CharField(max_length=10, choices=State, default=State.OPEN)
    decided_by = person_field(null=True, blank=True, db_index=False, help_text="empty: the portal")
    decided_at = moment_field()

    class Meta:
        ordering = ("id",)
        verbose_name = _("line proposal")
        verbose_name_plural = _("line proposals")
        constraints = [
            models.UniqueConstraint(
                fields=["line"], condition=Q(state="open"), name="proposal_one_open"
            ),
            models.CheckConstraint(
                condition=(
                    Q(
                        kind__in=("fewer", "later"),
                        pieces__lt=F("ordered_pieces"),
                        price=F("ordered_price"),
                    )
                )
                | Q(kind="substitute", pieces__gt=0)
                | Q(kind="price", pieces=F("ordered_pieces")),
                name="proposal_kind",
            ),
            models.CheckConstraint(
                condition=Q(pieces__gte=0, price__gt=0, ordered_pieces__gt=0), name="proposal_some"
            ),
            models.CheckConstraint(
                condition=Q(kind="later", expected_on__isnull=False)
                | (~Q(kind="later") & Q(expected_on__isnull=True)),
                name="proposal_expected",
            ),
            models.CheckConstraint(
                condition=Q(kind="substitute", product__isnull=False)
                | (~Q(kind="substitute") & Q(product__isnull=True)),
                name="proposal_product",
            ),
            models.CheckConstraint(
                condition=(Q(kind="price") & ~Q(reason="")) | (~Q(kind="price") & Q(reason="")),
                name="proposal_reason",
            ),
            models.CheckConstraint(
                condition=Q(kind="substitute", state="open", held=F("pieces"))
                | (~Q(kind="substitute", state="open") & Q(held=0)),
                name="proposal_held",
            ),
            models.CheckConstraint(
                condition=Q(unanswered="decline") | Q(unanswered="accept", difference__lte=0),
                name="proposal_silence",
            ),
            models.CheckConstraint(
                condition=Q(question="", asked_at__isnull=True)
                | (~Q(question="") & Q(asked_at__isnull=False)),
                name="proposal_asked",
            ),
            models.CheckConstraint(
                condition=Q(state="open", decided_at__isnull=True, decided_by__isnull=True)
                | Q(
                    state__in=("accepted", "declined"),
                    decided_at__isnull=False,
                    decided_by__isnull=False,
                )
                | Q(state="withdrawn", decided_at__isnull=False, decided_by__isnull=False)
                | Q(state="expired", decided_at__isnull=False, decided_by__isnull=True),
                name="proposal_decided",
            ),
        ]
        indexes = [
            models.Index(fields=["answer_by"], name="proposal_open", condition=Q(state="open")),
            models.Index(fields=["product"], name="proposal_holds", condition=Q(held__gt=0)),
        ]

    def __str__(self) -> str:
        return f"{self.order}: {self.get_kind_display()}, {self.line.sku}"

    @property
    def applied(self) -> str:
        """Return the answer that took effect; empty while it is open, and when it was
        taken back.
        """
        answers = {
            self.State.ACCEPTED: self.Answer.ACCEPT,
            self.State.DECLINED: self.Answer.DECLINE,
            self.State.EXPIRED: self.unanswered,
        }
        return answers.get(self.State(self.state), "")

    @property
    def later(self) -> int:
        """Return the pieces that are proposed to come later."""
        return self.ordered_pieces - self.pieces if self.kind == self.Kind.LATER else 0

    @property
    def ordered_total(self) -> Decimal:
        """Return the price of what was ordered, in US dollars: what declining takes off
        the order.
        """
        return self.ordered_price * self.ordered_pieces or ZERO

    @property
    def total(self) -> Decimal:
        """Return the price of what would be sent, in US dollars."""
        return self.price * self.pieces or ZERO
