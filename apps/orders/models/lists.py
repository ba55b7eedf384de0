"""What is kept of the lists that buyers order from: the one in hand, a company's own codes and
layouts, and sheets to be given back with their answers.
"""

import hashlib
from typing import TypedDict

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _, pgettext_lazy

from apps.accounts.models import Company, User
from apps.catalog.models import Product

MAX_OWN_CODE = 60
MAX_HEADINGS = 200
DIGEST = 8


def name_to_keep(name: str) -> str:
    """Return a name as it can be kept among a company's own codes: what is too long is cut, and
    told apart by its digest.
    """
    if len(name) <= MAX_OWN_CODE:
        return name
    digest = hashlib.sha256(name.upper().encode()).hexdigest()[:DIGEST].upper()
    return f"{name[: MAX_OWN_CODE - DIGEST - 2].strip()}… {digest}"


def code_of_name(name: str) -> str:
    """Return a name as a company's own code of a product: in capitals."""
    return name_to_keep(name).upper()


def carton_code(sku: str, unit: str) -> str:
    """Return what a carton of a product is kept by among a company's own codes."""
    return f"{unit} OF {sku}".upper()


class OwnCode(models.Model):
    """What a company calls a product in its own lists; learned when one of its buyers says which
    product is meant, or where it stands beside our SKU.

    Or, with `pieces`, a carton of a product, and how many pieces it holds.
    """

    company = models.ForeignKey(
        Company,
        models.CASCADE,
        related_name="own_codes",
        db_index=False,
        verbose_name=pgettext_lazy("customer", "company"),
    )
    code = models.CharField(
        pgettext_lazy("item", "code"),
        max_length=MAX_OWN_CODE,
        help_text=_("in capitals, as lists are read"),
    )
    product = models.ForeignKey(
        Product, models.CASCADE, related_name="own_codes", verbose_name=_("product")
    )
    pieces = models.PositiveIntegerField(
        _("pieces"),
        null=True,
        blank=True,
        help_text=_("in a carton; empty: a code of a product"),
    )
    learned_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.SET_NULL,
        verbose_name=_("learned by"),
        null=True,
        blank=True,
        related_name="+",
        db_index=False,
    )
    learned_at = models.DateTimeField(_("learned at"))

    class Meta:
        verbose_name = _("own code")
        verbose_name_plural = _("own codes")
        db_table = "catalog_owncode"
        ordering = ("code",)
        constraints = [
            models.UniqueConstraint(fields=["company", "code"], name="owncode_once"),
            models.CheckConstraint(condition=~models.Q(code=""), name="owncode_named"),
        ]

    def __str__(self) -> str:
        return f"{self.company}: {self.code}"


class ListLayout(models.Model):
    """What the columns of a company's sheets hold, by their headings; settled by one of its buyers,
    once.
    """

    company = models.ForeignKey(
        Company,
        models.CASCADE,
        related_name="list_layouts",
        db_index=False,
        verbose_name=pgettext_lazy("customer", "company"),
    )
    fingerprint = models.CharField(
        max_length=64, help_text="of the headings, else of what stands in the columns"
    )
    headings = models.CharField(
        _("headings"),
        max_length=MAX_HEADINGS,
        blank=True,
        help_text=_("as the sheet has them; empty: none"),
    )
    kinds = models.JSONField(help_text="by column what it holds")
    carton = models.PositiveIntegerField(
        default=0, help_text="pieces in a carton; 0: it is asked at each row"
    )
    decimal = models.CharField(
        _("decimal"),
        max_length=1,
        blank=True,
        db_default="",
        help_text=_("what begins decimals in quantities"),
    )
    settled_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.SET_NULL,
        verbose_name=_("settled by"),
        null=True,
        blank=True,
        related_name="+",
        db_index=False,
    )
    settled_at = models.DateTimeField(_("settled at"))

    class Meta:
        db_table = "catalog_listlayout"
        ordering = ("-settled_at",)
        verbose_name = _("layout of a list")
        verbose_name_plural = _("layouts of lists")
        constraints = [
            models.UniqueConstraint(fields=["company", "fingerprint"], name="listlayout_once"),
        ]

    def __str__(self) -> str:
        return f"{self.company}: {self.headings or _('without headings')}"


class ListInHand(models.Model):
    """The one list that a buyer has sent and not put into the basket yet: the file as it came, what
    is said of its tabs, and the decisions about its lines.
    """

    user = models.OneToOneField(User, models.CASCADE, related_name="list_in_hand")
    uuid = models.UUIDField()
    name = models.CharField(max_length=200)
    content = models.BinaryField()
    tab = models.PositiveSmallIntegerField(null=True, help_text="the one to read; empty: proposed")
    columns = models.JSONField(default=list, help_text="what the buyer says of its columns")
    rows = models.PositiveIntegerField(default=0, help_text="that ask for something")
    decisions = models.JSONField(default=list)
    pasted_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+", db_index=False
    )
    sent_at = models.DateTimeField()
    touched_at = models.DateTimeField(db_index=True)
    used_key = models.UUIDField(null=True, help_text="the review that put it into the basket")

    class Meta:
        verbose_name = _("list in hand")
        verbose_name_plural = _("lists in hand")

    def __str__(self) -> str:
        return f"{self.user}: {self.name}"


class SheetAnswer(TypedDict):
    """What rows of a sheet became: a SKU, its pieces in the basket, and why there are none or
    others.

    `asked` is the pieces that each of the `rows` asks for, in their order.
    """

    rows: list[int]
    asked: list[int]
    sku: str
    count: int
    why: str


class SentSheet(models.Model):
    """A sheet that a buyer put into the basket, as he sent it; private, under a random stored name.

    It belongs to the first order that its buyer places after it.
    """

    user = models.ForeignKey(User, models.CASCADE, related_name="sent_sheets", db_index=False)
    storage_name = models.CharField(max_length=80, unique=True)
    given_name = models.CharField(max_length=200)
    content_type = models.CharField(max_length=100)
    heads = models.JSONField(help_text="by tab its name and the row of its headings (0: none)")
    answers = models.JSONField()
    sent_at = models.DateTimeField(db_index=True)

    class Meta:
        verbose_name = _("sent sheet")
        verbose_name_plural = _("sent sheets")
        indexes = [models.Index(fields=["user", "sent_at"], name="sentsheet_user")]

    def __str__(self) -> str:
        return f"{self.user}: {self.given_name}"
