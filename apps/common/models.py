"""What the seller sets of the portal: who it is, its money, its days and its texts; what every
history has in common. The seller is read through `apps.common.seller`.
"""

from decimal import Decimal
from typing import Any, ClassVar

from django.conf import settings
from django.core.validators import MinValueValidator, RegexValidator
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _, pgettext_lazy

from apps.common.db.columns import money_field, person_field
from apps.common.texts import phrase
from apps.common.types import Label


def _rate(name: Any) -> "models.DecimalField[Any, Decimal | None]":
    return models.DecimalField(name, max_digits=5, decimal_places=4, null=True, blank=True)


def _days(name: Any, **options: Any) -> "models.PositiveSmallIntegerField[Any, int | None]":
    return models.PositiveSmallIntegerField(
        name, null=True, blank=True, validators=[MinValueValidator(1)], **options
    )


RATES = ("deposit_rate", "paypal_fee_rate")
STEPS = ("prepare", "confirm", "balance", "wire", "message", "answer", "offer")
DAYS = (*(f"promised_{step}" for step in STEPS), "temporary_order_days", "wire_days")


class Seller(models.Model):
    """What the portal says of the seller, and how it sells; blank takes the default of the
    environment.

    `version` is another one after each change of this row, and of whatever else is kept by it
    (`apps.common.seller.touch_seller`); 0 while nothing was ever saved.
    """

    id = models.PositiveSmallIntegerField(primary_key=True, default=1, editable=False)
    version = models.BigIntegerField(default=0, editable=False)

    title = models.CharField(pgettext_lazy("portal", "name"), max_length=60, blank=True)
    subtitle = models.CharField(  # noqa: DJ001 - null: not set yet, empty: none
        _("line under the name"), max_length=80, null=True, blank=True
    )
    accent = models.CharField(
        _("colour"),
        max_length=7,
        blank=True,
        validators=[RegexValidator(r"^#[0-9a-fA-F]{6}\Z", _("A colour as #337ab7."))],
    )
    logo = models.BinaryField(_("logo"), blank=True, default=bytes)

    sales_email = models.EmailField(_("sales"), blank=True)
    approvers_email = models.EmailField(_("approvers"), blank=True)

    staff_language = models.CharField(
        _("language of staff"), max_length=2, blank=True, choices=settings.LANGUAGES
    )

    invoice_prefix = models.CharField(
        _("beginning of invoice codes"),
        max_length=8,
        blank=True,
        validators=[RegexValidator(r"^[A-Za-z0-9]+\Z", _("Latin letters and digits alone."))],
    )
    shipper_name = models.CharField(pgettext_lazy("seller", "company"), max_length=120, blank=True)
    shipper_address = models.CharField(_("address"), max_length=240, blank=True)
    second_address = models.CharField(_("second address"), max_length=240, blank=True)
    shipper_phone = models.CharField(_("telephone"), max_length=40, blank=True)
    tax_number = models.CharField(_("tax number"), max_length=40, blank=True)

    deposit_rate = _rate(_("deposit share"))
    minimum_order = money_field(verbose_name=_("minimum order $"), default=0)
    paypal_on = models.BooleanField(_("PayPal"), null=True, blank=True)
    paypal_fee_rate = _rate(_("PayPal surcharge"))
    paypal_warning = models.CharField(_("PayPal warning"), max_length=300, blank=True)

    promised_prepare = _days(_("an order is looked at"))
    promised_confirm = _days(_("an order is confirmed"))
    promised_balance = _days(_("the balance is paid"))
    promised_wire = _days(_("a wire is booked"))
    promised_message = _days(_("a message is answered"))
    promised_answer = _days(_("a proposal is answered"))
    promised_offer = _days(_("pieces are held for a wish"))

    closed_countries = models.JSONField(_("countries not served"), blank=True, default=list)

    temporary_order_days = _days(_("life of a temporary order, days"))
    least_moq = models.PositiveSmallIntegerField(
        _("least MOQ"), default=10, validators=[MinValueValidator(1)]
    )
    special_moq = models.PositiveSmallIntegerField(
        _("special MOQ"), default=20, validators=[MinValueValidator(1)]
    )
    wire_days = _days(_("an announced wire expires after"), default=10)

    first_day = models.BooleanField(_("checklist of the first day on the home page"), default=True)
    nothing_to_bring = models.BooleanField(default=False, editable=False)  # orders and balances

    class Meta:
        verbose_name = _("settings")
        verbose_name_plural = _("settings")
        constraints = [
            models.CheckConstraint(condition=Q(id=1), name="seller_is_one"),
            *(
                models.CheckConstraint(
                    condition=Q(**{f"{name}__isnull": True})
                    | Q(**{f"{name}__gte": 0, f"{name}__lte": 1}),
                    name=f"seller_{name}",
                )
                for name in RATES
            ),
            *(
                models.CheckConstraint(
                    condition=Q(**{f"{name}__isnull": True}) | Q(**{f"{name}__gte": 1}),
                    name=f"seller_{name}",
                )
                for name in DAYS
            ),
            models.CheckConstraint(
                condition=Q(least_moq__gte=1, special_moq__gte=1, minimum_order__gte=0),
                name="seller_least",
            ),
        ]

    def __str__(self) -> str:
        return self.title


class BankAccount(models.Model):
    """An account that buyers wire to."""

    label = models.CharField(pgettext_lazy("account", "label"), max_length=60, blank=True)
    currency = models.CharField(
        _("currency"),
        max_length=3,
        default="USD",
        validators=[RegexValidator(r"^[A-Z]{3}\Z", _("A currency as USD."))],
    )
    bank = models.CharField(_("bank"), max_length=120, blank=True)
    holder = models.CharField(_("account holder"), max_length=120, blank=True)
    account_number = models.CharField(_("account number"), max_length=60, blank=True)
    routing_number = models.CharField(_("SWIFT code or routing number"), max_length=60, blank=True)
    address = models.CharField(_("bank's address"), max_length=240, blank=True)
    is_shown = models.BooleanField(_("shown to buyers"), default=True)
    position = models.PositiveSmallIntegerField(_("position"), default=0)

    class Meta:
        ordering = ("position", "id")
        verbose_name = _("bank account")
        verbose_name_plural = _("bank accounts")

    def __str__(self) -> str:
        return f"{self.currency} {self.account_number}"


class ClosedDay(models.Model):
    """A day off beside South Korea's public holidays."""

    day = models.DateField(_("day"), unique=True)
    name = models.CharField(_("name"), max_length=60, blank=True)

    class Meta:
        ordering = ("day",)
        verbose_name = _("day off")
        verbose_name_plural = _("days off")

    def __str__(self) -> str:
        return f"{self.day} {self.name}".strip()


MAX_SUBJECT, MAX_BODY = 150, 8000  # characters


class MailText(models.Model):
    """What a mail says since staff changed it; blank says what the portal does."""

    names: ClassVar[dict[str, Label]] = {}  # of each mail, by its key (`MailKind`)

    key = models.CharField(max_length=60, unique=True)
    subject = models.CharField(_("subject"), max_length=MAX_SUBJECT, blank=True)
    body = models.TextField(_("mail"), max_length=MAX_BODY, blank=True)
    changed_at = models.DateTimeField()
    changed_by = person_field(db_index=False)

    class Meta:
        verbose_name = _("mail text")
        verbose_name_plural = _("mail texts")
        constraints = [
            models.CheckConstraint(
                condition=Q(subject="", body="") | (~Q(subject="") & ~Q(body="")),
                name="mailtext_whole",
            )
        ]

    def __str__(self) -> str:
        return str(self.names.get(self.key, self.key))


class Policy(models.Model):
    """A version of privacy policy and terms of use; published, it never changes."""

    number = models.PositiveIntegerField(unique=True)
    html = models.TextField(_("text"))
    holds_from = models.DateField(_("holds from"))
    published_at = models.DateTimeField()
    published_by = person_field(db_index=False)

    class Meta:
        verbose_name = _("policy")
        verbose_name_plural = _("policies")
        ordering = ("-number",)
        constraints = [
            models.CheckConstraint(condition=Q(number__gte=1) & ~Q(html=""), name="policy_whole")
        ]

    def __str__(self) -> str:
        return phrase("Version %(number)s", number=self.number)


class AppendOnly(models.Model):
    """A row that is written once: neither changed nor deleted."""

    class Meta:
        abstract = True

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Insert.

        Raises:
            TypeError: the row is stored already.
        """
        if self.pk is not None and not kwargs.get("force_insert"):
            raise TypeError(f"{type(self).__name__} rows are never edited")
        super().save(*args, **kwargs)

    def delete(self, *args: Any, **kwargs: Any) -> tuple[int, dict[str, int]]:
        """Refuse.

        Raises:
            TypeError: always.
        """
        raise TypeError(f"{type(self).__name__} rows are never deleted")


class Event(AppendOnly):
    """One step in the history of an object: who did it (empty: the buyer or the portal), when, and
    a note.

    A child names the object and the step. It may define `actor` or `note` anew where its column
    differs.
    """

    actor = person_field(null=True, blank=True)
    note = models.TextField(blank=True)
    at = models.DateTimeField()

    class Meta:
        abstract = True
        ordering = ("at", "id")
