"""Money that goes back by bank is owed until it is sent.

Of refunds and of credit of wallets nobody noted whether the bank had sent them: they are owed, and
staff note each once. A credit was noted as sent back: it stays sent, on that day.
"""

from typing import Any

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models
from django.utils import timezone


def write_transfers(apps: Any, schema_editor: Any) -> None:
    """Write a transfer for everything that went back by bank."""
    transfer, refund_, entry_, credit_ = (
        apps.get_model("payments", name)
        for name in ("BankTransfer", "WireRefund", "WalletEntry", "BankCredit")
    )
    refunds = refund_.objects.filter(entry=None).select_related("payment")
    for refund in refunds.iterator(chunk_size=1000):
        transfer.objects.create(
            refund=refund,
            company_id=refund.payment.company_id,
            payee=refund.payment.depositor,
            amount=refund.amount,
            owed_at=refund.at,
        )
    entries = entry_.objects.filter(kind="paid_out").select_related("company")
    for entry in entries.iterator(chunk_size=1000):
        transfer.objects.create(
            entry=entry,
            company_id=entry.company_id,
            payee=entry.company.name[:140],
            amount=-entry.amount,
            owed_at=entry.at,
        )
    credits = credit_.objects.filter(sent_back_at__isnull=False)
    for credit in credits.iterator(chunk_size=1000):
        transfer.objects.create(
            credit=credit,
            payee=credit.debtor or "whoever sent it",
            amount=credit.amount,
            currency=credit.currency,
            owed_at=credit.sent_back_at,
            sent_on=timezone.localdate(credit.sent_back_at),
            sent_by_id=credit.sent_back_by_id,
        )


class Migration(migrations.Migration):

    dependencies = [
        ('accounts', '0011_one_spelling_of_a_mailbox'),
        ('payments', '0022_paid_out'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AlterField(
            model_name='bankcredit',
            name='sent_back_at',
            field=models.DateTimeField(blank=True, help_text='since when it is to go back, or went', null=True),
        ),
        migrations.CreateModel(
            name='BankTransfer',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('payee', models.CharField(help_text='who gets it, as far as it is known', max_length=140)),
                ('amount', models.DecimalField(decimal_places=2, max_digits=12)),
                ('currency', models.CharField(default='USD', max_length=3)),
                ('owed_at', models.DateTimeField()),
                ('sent_on', models.DateField(blank=True, help_text='when the bank sent it', null=True)),
                ('reference', models.CharField(blank=True, help_text='of the bank', max_length=80)),
                ('company', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='bank_transfers', to='accounts.company')),
                ('credit', models.OneToOneField(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='transfer', to='payments.bankcredit')),
                ('entry', models.OneToOneField(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='transfer', to='payments.walletentry')),
                ('refund', models.OneToOneField(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='transfer', to='payments.wirerefund')),
                ('sent_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ('owed_at', 'id'),
                'indexes': [models.Index(condition=models.Q(('sent_on__isnull', True)), fields=['owed_at'], name='banktransfer_owed')],
                'constraints': [models.CheckConstraint(condition=models.Q(('amount__gt', 0)), name='banktransfer_amount'), models.CheckConstraint(condition=models.Q(models.Q(('credit__isnull', True), ('entry__isnull', True), ('refund__isnull', False)), models.Q(('credit__isnull', True), ('entry__isnull', False), ('refund__isnull', True)), models.Q(('credit__isnull', False), ('entry__isnull', True), ('refund__isnull', True)), _connector='OR'), name='banktransfer_one_origin'), models.CheckConstraint(condition=models.Q(models.Q(('reference', ''), ('sent_on__isnull', True)), ('sent_on__isnull', False), _connector='OR'), name='banktransfer_reference')],
            },
        ),
        migrations.RunPython(write_transfers, migrations.RunPython.noop),
    ]
