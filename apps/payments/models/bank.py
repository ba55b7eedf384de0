"""Bank statements: their credits, how well each is matched, how a layout was read, and what was
booked.
"""

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from apps.common.db.columns import moment_field, money_field, person_field
from apps.payments.models.payments import Payment


class BankCredit(models.Model):
    """Money that a bank statement shows as arrived, whatever the number of files that show it.

    It is known by the bank's references, one for each kind of file; without one it is the n-th
    credit of its day, amount and currency.
    """

    value_date = models.DateField()
    booked_on = models.DateField(
        null=True, blank=True, help_text="the bank's day of booking, where a file tells it"
    )
    amount = money_field()
    currency = models.CharField(max_length=3)
    ordinal = models.PositiveIntegerField(help_text="which one of its day, amount and currency")
    debtor = models.CharField(max_length=140, blank=True)
    text = models.CharField(max_length=500, blank=True)
    reference = models.CharField(max_length=80, null=True, blank=True, unique=True)
    references = models.JSONField(
        default=dict, db_default={}, blank=True, help_text="how each kind of file calls it"
    )
    like = models.ForeignKey(
        "self",
        models.SET_NULL,
        null=True,
        blank=True,
        related_name="+",
        help_text="the credit of another file that it may be; staff say so",
    )
    booked_at = moment_field()
    booked_by = person_field(null=True, blank=True)
    sent_back_at = moment_field(help_text="since when it is to go back, or went")
    sent_back_by = person_field(null=True, blank=True, db_index=False)
    sent_back_reason = models.CharField(max_length=200, blank=True)

    class Meta:
        verbose_name = _("bank credit")
        verbose_name_plural = _("bank credits")
        ordering = ("-value_date", "id")
        constraints = [
            models.UniqueConstraint(
                fields=["value_date", "amount", "currency", "ordinal"], name="bankcredit_once"
            ),
            models.CheckConstraint(condition=Q(amount__gt=0), name="bankcredit_amount"),
            models.CheckConstraint(
                condition=Q(booked_at__isnull=True) | Q(sent_back_at__isnull=True),
                name="bankcredit_one_end",
            ),
        ]

    def __str__(self) -> str:
        payer = self.debtor or gettext("nobody named")
        return f"{self.value_date}, {self.amount:,.2f} {self.currency}, {payer}"

    @property
    def is_settled(self) -> bool:
        """Return whether nothing is to be done about it any more: it is booked, or was
        sent back.
        """
        return self.booked_at is not None or self.sent_back_at is not None


class BankStatement(models.Model):
    """An imported file of a bank, as staff work through it."""

    class Kind(models.TextChoices):
        CSV = "csv", "CSV"
        CAMT = "camt.053", "CAMT"
        MT940 = "mt940", "MT940"
        WORKBOOK = "sheet", _("Workbook")

    name = models.CharField(max_length=120)
    kind = models.CharField(max_length=10, choices=Kind)
    digest = models.CharField(max_length=64, unique=True, help_text="SHA-256 of the file")
    credits = models.ManyToManyField(BankCredit, related_name="statements")
    left_out = models.JSONField(
        default=list, db_default=[], help_text="pairs of a reason and the number of lines"
    )
    imported_at = models.DateTimeField()
    imported_by = person_field()
    put_away_at = moment_field(help_text="since when the desk shows it no more")
    compared = models.CharField(
        max_length=64,
        blank=True,
        default="",
        db_default="",
        help_text="with what its matches were found: SHA-256",
    )

    class Meta:
        verbose_name = _("bank statement")
        verbose_name_plural = _("bank statements")
        ordering = ("-id",)

    def __str__(self) -> str:
        return self.name


class StatementLayout(models.Model):
    """How staff named the columns of a table with these headings: the next file with them is read
    likewise.
    """

    digest = models.CharField(max_length=64, unique=True, help_text="SHA-256 of the headings")
    columns = models.JSONField(
        help_text="what each column was read as; empty where it was left out"
    )

    class Meta:
        verbose_name = _("statement layout")
        verbose_name_plural = _("statement layouts")

    def __str__(self) -> str:
        return self.digest


class BankBooking(models.Model):
    """Which payment a credit became; several where it was split over orders."""

    credit = models.ForeignKey(BankCredit, models.PROTECT, related_name="bookings")
    payment = models.OneToOneField(Payment, models.PROTECT, related_name="bank_booking")

    class Meta:
        verbose_name = _("bank booking")
        verbose_name_plural = _("bank bookings")

    def __str__(self) -> str:
        return f"{self.credit}: {self.payment}"


class CreditMatch(models.Model):
    """How well an open credit of a statement is matched with what was asked for when the statement
    was compared.
    """

    class Kind(models.IntegerChoices):
        """The kinds of `bank.matching`, as a list has them: the first can be
        booked first.
        """

        EXACT = 0, "exact"
        SHORT = 1, "short"
        SPLIT = 2, "split"
        DIFFERS = 3, "differs"
        SEVERAL = 4, "several"
        NONE = 5, "none"

    statement = models.ForeignKey(
        BankStatement, models.CASCADE, related_name="matches", db_index=False
    )
    credit = models.ForeignKey(BankCredit, models.CASCADE, related_name="matches")
    kind = models.PositiveSmallIntegerField(choices=Kind)
    choice = models.TextField(blank=True, help_text="the one proposal, as a tick sends it")

    class Meta:
        verbose_name = _("credit match")
        verbose_name_plural = _("credit matches")
        constraints = [
            models.UniqueConstraint(fields=["statement", "credit"], name="creditmatch_once")
        ]

    def __str__(self) -> str:
        return f"{self.credit_id}: {self.get_kind_display()}"
