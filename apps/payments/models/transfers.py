"""Money that goes back by the bank: owed until staff have sent it."""

from datetime import datetime

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from apps.accounts.models import Company
from apps.common.db.columns import money_field, person_field
from apps.common.promises import Promise, due_at
from apps.common.texts import phrase
from apps.payments.models.bank import BankCredit
from apps.payments.models.payments import WalletEntry, WireRefund


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
    payee = models.CharField(max_length=140, help_text="who gets it, as far as it is known")
    amount = money_field()
    currency = models.CharField(max_length=3, default="USD")
    owed_at = models.DateTimeField()
    sent_on = models.DateField(null=True, blank=True, help_text="when the bank sent it")
    reference = models.CharField(max_length=80, blank=True, help_text="of the bank")
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
        sent = phrase("sent %(day)s", day=f"{self.sent_on:%m-%d}")
        return ", ".join(filter(None, [sent, self.reference]))
