"""Bank statements: their credits, how a layout was read, and what was booked; and money that goes
back by the bank, owed until staff have sent it.
"""

from datetime import datetime

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext, gettext_lazy as _

from apps.accounts.models import Company
from apps.common.db.columns import moment_field, money_field, person_field
from apps.common.promises import Promise, due_at
from apps.common.texts import phrase
from apps.payments.models.payments import WalletEntry, WireRefund


class BankCredit(models.Model):
    """Money that a bank statement shows as arrived, whatever the number of files that show it.

    It is known by the bank's references, one for each kind of file; without one it is the n-th
    credit of its day, amount and currency.
    """

    value_date = models.DateField()
    # The bank's day of booking, where a file tells it
    booked_on = models.DateField(null=True, blank=True)
    amount = money_field()
    currency = models.CharField(max_length=3)
    ordinal = models.PositiveIntegerField()  # which one of its day, amount and currency
    debtor = models.CharField(max_length=140, blank=True)
    text = models.CharField(max_length=500, blank=True)
    reference = models.CharField(max_length=80, null=True, blank=True, unique=True)
    # How each kind of file calls it
    references = models.JSONField(default=dict, db_default={}, blank=True)
    # The credit of another file that it may be; staff say so
    like = models.ForeignKey("self", models.SET_NULL, null=True, blank=True, related_name="+")
    booked_at = moment_field()
    booked_by = person_field(null=True, blank=True)
    # Since when it is to go back, or went
    sent_back_at = moment_field()
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

    @property
    def is_open(self) -> bool:
        """Return whether it can be booked: nobody has settled it, and it is in US dollars."""
        return not self.is_settled and self.currency == "USD"


class BankStatement(models.Model):
    """An imported file of a bank, as staff work through it."""

    class Kind(models.TextChoices):
        CSV = "csv", "CSV"
        CAMT = "camt.053", "CAMT"
        MT940 = "mt940", "MT940"
        WORKBOOK = "sheet", _("Workbook")

    name = models.CharField(max_length=120)
    kind = models.CharField(max_length=10, choices=Kind)
    digest = models.CharField(max_length=64, unique=True)  # SHA-256 of the file
    credits = models.ManyToManyField(BankCredit, related_name="statements")
    # Pairs of a reason and the number of lines
    left_out = models.JSONField(default=list, db_default=[])
    imported_at = models.DateTimeField()
    imported_by = person_field()
    # Since when the desk shows it no more
    put_away_at = moment_field()

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

    digest = models.CharField(max_length=64, unique=True)  # SHA-256 of the headings
    columns = models.JSONField()  # what each column was read as; empty where it was left out

    class Meta:
        verbose_name = _("statement layout")
        verbose_name_plural = _("statement layouts")

    def __str__(self) -> str:
        return self.digest


class BankTransfer(models.Model):
    """A transfer that staff make at the bank, of a refund, of credit of a wallet or of a credit
    that went astray. It is a debt until it is sent.
    """

    refund = models.OneToOneField(
        WireRefund, models.PROTECT, null=True, blank=True, related_name="transfer"
    )
    entry = models.OneToOneField(
        WalletEntry, models.PROTECT, null=True, blank=True, related_name="transfer"
    )
    credit = models.OneToOneField(
        BankCredit, models.PROTECT, null=True, blank=True, related_name="transfer"
    )
    company = models.ForeignKey(
        Company, models.PROTECT, null=True, blank=True, related_name="bank_transfers"
    )
    payee = models.CharField(max_length=140)  # who gets it, as far as it is known
    amount = money_field()
    currency = models.CharField(max_length=3, default="USD")
    owed_at = models.DateTimeField()
    sent_on = models.DateField(null=True, blank=True)  # when the bank sent it
    reference = models.CharField(max_length=80, blank=True)  # of the bank
    sent_by = person_field(null=True, blank=True)

    class Meta:
        verbose_name = _("bank transfer")
        verbose_name_plural = _("bank transfers")
        ordering = ("owed_at", "id")
        constraints = [
            models.CheckConstraint(condition=Q(amount__gt=0), name="banktransfer_amount"),
            models.CheckConstraint(
                condition=Q(refund__isnull=False, entry__isnull=True, credit__isnull=True)
                | Q(refund__isnull=True, entry__isnull=False, credit__isnull=True)
                | Q(refund__isnull=True, entry__isnull=True, credit__isnull=False),
                name="banktransfer_one_origin",
            ),
            models.CheckConstraint(
                condition=Q(sent_on__isnull=True, reference="") | Q(sent_on__isnull=False),
                name="banktransfer_reference",
            ),
        ]
        indexes = [
            models.Index(
                fields=["owed_at"], name="banktransfer_owed", condition=Q(sent_on__isnull=True)
            )
        ]

    def __str__(self) -> str:
        money = f"{self.amount:,.2f} {self.currency}"
        return phrase("%(money)s to %(payee)s", money=money, payee=self.payee)

    @property
    def due_at(self) -> datetime:
        """Return when it is late."""
        return due_at(Promise.REFUND, since=self.owed_at)

    @property
    def about(self) -> str:
        """Return what it is of: an invoice code, the wallet or the bank's credit."""
        if self.refund is not None:
            return self.refund.payment.invoice_code
        return gettext("wallet") if self.entry_id else gettext("a credit of nobody's order")

    @property
    def state_words(self) -> str:
        """Return whether it is owed or sent: `to be sent by 12-18`, `sent 11-25, HB-7731`."""
        if self.sent_on is None:
            return phrase("to be sent by %(day)s", day=f"{self.due_at:%m-%d}")
        text = phrase("sent %(day)s", day=f"{self.sent_on:%m-%d}")
        return ", ".join(filter(None, [text, self.reference]))
