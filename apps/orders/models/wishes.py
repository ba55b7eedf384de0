"""What buyers wanted and did not get."""

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _, pgettext_lazy

from apps.accounts.models import Company, User
from apps.catalog.models import Product
from apps.common.db.columns import moment_field
from apps.orders.models.lists import MAX_OWN_CODE
from apps.orders.models.orders import OrderLine

SETTLED = F("given") + F("dropped") + F("expired")  # pieces that nobody waits for any more


class Wish(models.Model):
    """Pieces that somebody wanted and did not get: of a product, or of a code that nobody knows.

    Who wanted what, why and since when is written once. A wish is closed once nothing of it is
    open.
    """

    class Why(models.TextChoices):
        SOLD_OUT = "sold_out", _("Sold out")
        CUT = "cut", _("Short-shipped")
        DECLINED = "declined", _("Declined")
        LATER = "later", pgettext_lazy("wish", "Later")
        UNKNOWN_SKU = "unknown_sku", _("Unknown code")

    company = models.ForeignKey(Company, models.PROTECT, related_name="wishes", db_index=False)
    user = models.ForeignKey(
        User, models.PROTECT, related_name="wishes", db_index=False, help_text="who wanted it"
    )
    product = models.ForeignKey(
        Product,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="wishes",
        help_text="empty: nobody knows the code",
    )
    code = models.CharField(
        max_length=MAX_OWN_CODE, blank=True, help_text="of a list, where no product is known by it"
    )
    why = models.CharField(max_length=12, choices=Why)
    line = models.ForeignKey(
        OrderLine,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="wishes",
        help_text="that did not give it",
    )
    pieces = models.PositiveIntegerField(help_text="wanted and not given then")
    given = models.PositiveIntegerField(default=0, help_text="ordered of what was offered")
    dropped = models.PositiveIntegerField(default=0, help_text="not wanted any more")
    expired = models.PositiveIntegerField(default=0, help_text="offered and not ordered in time")
    held = models.PositiveIntegerField(
        default=0, help_text="offered now: promised to this wish alone"
    )
    held_until = moment_field(help_text="when what is held goes to the next wish")
    told_at = moment_field(help_text="when a mail told of all that is held")
    since = models.DateTimeField()
    promised_on = models.DateField(
        null=True, blank=True, help_text="when later pieces are expected"
    )
    closed_at = moment_field(help_text="empty: some pieces are open")

    class Meta:
        ordering = ("id",)
        verbose_name = _("wish")
        verbose_name_plural = _("wishes")
        constraints = [
            models.CheckConstraint(
                condition=Q(pieces__gt=0, given__gte=0, dropped__gte=0, expired__gte=0)
                & (
                    Q(closed_at__isnull=True, pieces__gt=SETTLED)
                    | Q(closed_at__isnull=False, pieces=SETTLED)
                ),
                name="wish_pieces",
            ),
            models.CheckConstraint(
                condition=Q(held=0, held_until__isnull=True, told_at__isnull=True)
                | Q(
                    held__gt=0,
                    pieces__gte=SETTLED + F("held"),
                    held_until__isnull=False,
                    product__isnull=False,
                ),
                name="wish_held",
            ),
            models.CheckConstraint(
                condition=(Q(why="unknown_sku", product__isnull=True) & ~Q(code=""))
                | (~Q(why="unknown_sku") & Q(product__isnull=False, code="")),
                name="wish_product",
            ),
            models.CheckConstraint(
                condition=Q(why__in=("sold_out", "unknown_sku"), line__isnull=True)
                | Q(why__in=("cut", "declined", "later"), line__isnull=False),
                name="wish_line",
            ),
            models.CheckConstraint(
                condition=Q(why="later", promised_on__isnull=False)
                | (~Q(why="later") & Q(promised_on__isnull=True)),
                name="wish_promised",
            ),
            models.UniqueConstraint(
                fields=["user", "product"],
                condition=Q(why="sold_out", closed_at__isnull=True),
                name="wish_product_once",
            ),
            models.UniqueConstraint(
                fields=["user", "code"],
                condition=Q(why="unknown_sku", closed_at__isnull=True),
                name="wish_code_once",
            ),
        ]
        indexes = [
            models.Index(
                fields=["company", "id"], name="wish_company", condition=Q(closed_at__isnull=True)
            ),
            models.Index(
                fields=["product", "since"], name="wish_open", condition=Q(closed_at__isnull=True)
            ),
            models.Index(
                fields=["company", "product"], name="wish_offers", condition=Q(held__gt=0)
            ),
        ]

    def __str__(self) -> str:
        return f"{self.company}: {self.pieces} x {self.product or self.code}"

    @property
    def open(self) -> int:
        """Return the pieces that are still wanted."""
        return self.pieces - self.given - self.dropped - self.expired

    @property
    def waiting(self) -> int:
        """Return the pieces that are wanted and not even offered."""
        return self.open - self.held


class GivenPieces(models.Model):
    """Pieces of a wish that an order took, or a priced list whose deposit is being paid."""

    wish = models.ForeignKey(Wish, models.PROTECT, related_name="gifts", db_index=False)
    invoice_code = models.CharField(max_length=40, db_index=True)
    pieces = models.PositiveIntegerField()
    held_until = models.DateTimeField(
        help_text="until when they were held: they come back if the payment fails"
    )

    class Meta:
        verbose_name = _("given pieces")
        verbose_name_plural = _("given pieces")
        constraints = [
            models.UniqueConstraint(fields=["wish", "invoice_code"], name="givenpieces_once"),
            models.CheckConstraint(condition=Q(pieces__gt=0), name="givenpieces_some"),
        ]

    def __str__(self) -> str:
        return f"{self.invoice_code}: {self.pieces}"
