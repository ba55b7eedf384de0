"""An empty database gets all tables of the app at once. One of 1.0.0 or later runs the migrations
that this replaces: whoever deletes those moves here what `by_hand` takes from them.
"""

from importlib import import_module

import apps.common.names
import django.db.models.deletion
import django.db.models.expressions
import django.db.models.functions.math
import uuid
from decimal import Decimal
from django.conf import settings
from django.db import migrations, models

BY_HAND = (
    "0002_ledger_is_append_only",
    "0011_wiremove",
    "0017_wire_refunds",
    "0019_indexes_in_use",
    "0029_moved_in_may_go",
)


def by_hand(apps, schema_editor):
    """Run what the replaced migrations do beside making tables."""
    for name in BY_HAND:
        for operation in import_module(f"apps.payments.migrations.{name}").Migration.operations:
            if isinstance(operation, migrations.RunPython):
                operation.code(apps, schema_editor)


class Migration(migrations.Migration):

    replaces = [('payments', '0001_initial'), ('payments', '0002_ledger_is_append_only'), ('payments', '0003_paypal'), ('payments', '0004_bank_statements'), ('payments', '0005_payment_amount_in_cents'), ('payments', '0006_payment_taken'), ('payments', '0007_fewer_indexes'), ('payments', '0008_payment_states'), ('payments', '0009_payment_kind'), ('payments', '0010_payment_refusals'), ('payments', '0011_wiremove'), ('payments', '0012_statement_columns'), ('payments', '0013_statement_layouts'), ('payments', '0014_mt940'), ('payments', '0015_credits_sent_back'), ('payments', '0016_figures_by_day'), ('payments', '0017_wire_refunds'), ('payments', '0018_proof_of_payment'), ('payments', '0019_indexes_in_use'), ('payments', '0020_statement_workbooks'), ('payments', '0021_kinds_of_match'), ('payments', '0022_paid_out'), ('payments', '0023_bank_transfers'), ('payments', '0024_doubtful_credits'), ('payments', '0025_composed_names'), ('payments', '0026_model_names'), ('payments', '0027_reminders'), ('payments', '0028_opening_balances'), ('payments', '0029_moved_in_may_go')]

    initial = True

    dependencies = [
        ('accounts', 'all_squashed_0026_names_of_models'),
        ('orders', 'all_squashed_0047_names_of_models'),
    ]

    operations = [
        migrations.CreateModel(
            name='BankCredit',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('value_date', models.DateField()),
                ('booked_on', models.DateField(blank=True, help_text="the bank's day of booking, where a file tells it", null=True)),
                ('amount', models.DecimalField(decimal_places=2, max_digits=12)),
                ('currency', models.CharField(max_length=3)),
                ('ordinal', models.PositiveIntegerField(help_text='which one of its day, amount and currency')),
                ('debtor', models.CharField(blank=True, max_length=140)),
                ('text', models.CharField(blank=True, max_length=500)),
                ('reference', models.CharField(blank=True, max_length=80, null=True, unique=True)),
                ('references', models.JSONField(blank=True, db_default={}, default=dict, help_text='how each kind of file calls it')),
                ('like', models.ForeignKey(blank=True, help_text='the credit of another file that it may be; staff say so', null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='payments.bankcredit')),
                ('booked_at', models.DateTimeField(blank=True, null=True)),
                ('booked_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('sent_back_at', models.DateTimeField(blank=True, help_text='since when it is to go back, or went', null=True)),
                ('sent_back_by', models.ForeignKey(blank=True, db_index=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('sent_back_reason', models.CharField(blank=True, max_length=200)),
            ],
            options={
                'verbose_name': 'bank credit',
                'verbose_name_plural': 'bank credits',
                'ordering': ('-value_date', 'id'),
                'constraints': [models.UniqueConstraint(fields=('value_date', 'amount', 'currency', 'ordinal'), name='bankcredit_once'), models.CheckConstraint(condition=models.Q(('amount__gt', 0)), name='bankcredit_amount'), models.CheckConstraint(condition=models.Q(('booked_at__isnull', True), ('sent_back_at__isnull', True), _connector='OR'), name='bankcredit_one_end')],
            },
        ),
        migrations.CreateModel(
            name='Payment',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('uuid', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ('invoice_code', models.CharField(db_index=True, max_length=40)),
                ('order', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='payments', to='orders.order')),
                ('company', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='payments', to='accounts.company')),
                ('user', models.ForeignKey(db_index=False, help_text='who pays', on_delete=django.db.models.deletion.PROTECT, related_name='payments', to=settings.AUTH_USER_MODEL)),
                ('method', models.CharField(choices=[('T/T', 'Bank wire'), ('PAYPAL', 'PayPal'), ('WALLET', 'Wallet credit')], max_length=10)),
                ('kind', models.CharField(choices=[('deposit', 'Deposit'), ('balance', 'Balance')], max_length=10)),
                ('state', models.CharField(choices=[('announced', 'Announced'), ('created', 'Link issued'), ('approved', 'Approved'), ('executing', 'Executing'), ('unknown', 'Unknown'), ('pending', 'Pending'), ('captured', 'Received'), ('held', 'Held'), ('failed', 'Failed'), ('expired', 'Expired'), ('refused', 'Refused'), ('partially_refunded', 'Partially refunded'), ('refunded', 'Refunded'), ('reversed', 'Reversed')], max_length=20)),
                ('reason', models.CharField(blank=True, max_length=200)),
                ('base', models.DecimalField(decimal_places=2, help_text='what it settles of the order', max_digits=12)),
                ('fee', models.DecimalField(decimal_places=2, default=Decimal('0.00'), help_text='PayPal surcharge', max_digits=12)),
                ('amount', models.DecimalField(decimal_places=2, help_text='base and fee together', max_digits=12)),
                ('received', models.DecimalField(decimal_places=2, default=Decimal('0.00'), help_text='what arrived, without the fee', max_digits=12)),
                ('taken', models.DecimalField(blank=True, decimal_places=2, help_text='what PayPal took, where it is not the amount', max_digits=12, null=True)),
                ('currency', models.CharField(default='USD', max_length=3)),
                ('depositor', apps.common.names.NameField(blank=True, max_length=120)),
                ('proof', models.OneToOneField(blank=True, help_text='that a wire was sent', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='payment', to='orders.buyerfile')),
                ('created_at', models.DateTimeField()),
                ('reminders', models.PositiveSmallIntegerField(db_default=0, default=0, help_text='how often the buyer was asked for an announced wire')),
                ('reminded_at', models.DateTimeField(blank=True, null=True)),
                ('settled_at', models.DateTimeField(blank=True, null=True)),
                ('settled_by', models.ForeignKey(blank=True, db_index=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('provider', models.CharField(blank=True, max_length=10)),
                ('invoice_number', models.CharField(blank=True, help_text='as PayPal is told, once for each payment', max_length=48)),
                ('paypal_payment_id', models.CharField(blank=True, max_length=64, null=True, unique=True)),
                ('paypal_token', models.CharField(blank=True, max_length=64)),
                ('approval_url', models.URLField(blank=True, max_length=500)),
                ('payer_id', models.CharField(blank=True, max_length=20)),
                ('sale_id', models.CharField(blank=True, max_length=64, null=True, unique=True)),
                ('sale_state', models.CharField(blank=True, max_length=24)),
                ('create_key', models.UUIDField(blank=True, null=True, unique=True)),
                ('execute_key', models.UUIDField(blank=True, null=True, unique=True)),
                ('checkout', models.JSONField(blank=True, help_text='the checkout form, until the order is made', null=True)),
                ('hold_expires_at', models.DateTimeField(blank=True, null=True)),
                ('link_expires_at', models.DateTimeField(blank=True, null=True)),
                ('executing_since', models.DateTimeField(blank=True, null=True)),
                ('next_check_at', models.DateTimeField(blank=True, null=True)),
                ('checks', models.PositiveIntegerField(default=0)),
                ('refusals', models.PositiveSmallIntegerField(default=0, help_text='checks that found nothing taken, one after another')),
                ('debug_id', models.CharField(blank=True, max_length=64)),
                ('alarm', models.CharField(blank=True, help_text='what staff must look at', max_length=200)),
            ],
            options={
                'verbose_name': 'payment',
                'verbose_name_plural': 'payments',
                'ordering': ('created_at', 'id'),
                'indexes': [models.Index(fields=['method', 'state', 'created_at'], name='payment_desk'), models.Index(condition=models.Q(('next_check_at__isnull', False)), fields=['next_check_at'], name='payment_next_check'), models.Index(condition=models.Q(('alarm', ''), _negated=True), fields=['state', 'created_at'], name='payment_alarm')],
                'constraints': [models.CheckConstraint(condition=models.Q(('amount', django.db.models.functions.math.Round(django.db.models.expressions.CombinedExpression(models.F('base'), '+', models.F('fee')), precision=2))), name='payment_amount'), models.CheckConstraint(condition=models.Q(('base__gte', 0), ('fee__gte', 0), ('received__gte', 0)), name='payment_money'), models.CheckConstraint(condition=models.Q(('currency', 'USD')), name='payment_currency'), models.UniqueConstraint(condition=models.Q(('method', 'PAYPAL'), ('state__in', ('executing', 'unknown', 'pending', 'captured', 'partially_refunded'))), fields=('invoice_code', 'kind'), name='payment_one_live_paypal'), models.UniqueConstraint(condition=models.Q(('method', 'T/T'), ('state', 'announced')), fields=('invoice_code', 'kind'), name='payment_one_announced_wire'), models.CheckConstraint(condition=models.Q(models.Q(('method', 'T/T'), ('state__in', ('announced', 'captured', 'refused'))), models.Q(('method', 'PAYPAL'), ('state__in', ('created', 'approved', 'executing', 'unknown', 'pending', 'captured', 'held', 'failed', 'expired', 'partially_refunded', 'refunded', 'reversed'))), models.Q(('method', 'WALLET'), ('state__in', ('captured',))), _connector='OR'), name='payment_state_of_method'), models.CheckConstraint(condition=models.Q(('received', 0), ('state__in', ('captured', 'partially_refunded', 'refunded', 'reversed')), _connector='OR'), name='payment_received_state')],
            },
        ),
        migrations.CreateModel(
            name='BankBooking',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('credit', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='bookings', to='payments.bankcredit')),
                ('payment', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='bank_booking', to='payments.payment')),
            ],
            options={
                'verbose_name': 'bank booking',
                'verbose_name_plural': 'bank bookings',
            },
        ),
        migrations.CreateModel(
            name='BankStatement',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=120)),
                ('kind', models.CharField(choices=[('csv', 'CSV'), ('camt.053', 'CAMT'), ('mt940', 'MT940'), ('sheet', 'Workbook')], max_length=10)),
                ('digest', models.CharField(help_text='SHA-256 of the file', max_length=64, unique=True)),
                ('read', models.JSONField(default=list, help_text='pairs of a heading and what it was taken for')),
                ('unread', models.JSONField(default=list, help_text='headings that were not understood')),
                ('left_out', models.JSONField(db_default=[], default=list, help_text='pairs of a reason and the number of lines')),
                ('imported_at', models.DateTimeField()),
                ('imported_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('put_away_at', models.DateTimeField(blank=True, help_text='since when the desk shows it no more', null=True)),
                ('compared', models.CharField(blank=True, db_default='', default='', help_text='with what its matches were found: SHA-256', max_length=64)),
                ('credits', models.ManyToManyField(related_name='statements', to='payments.bankcredit')),
            ],
            options={
                'verbose_name': 'bank statement',
                'verbose_name_plural': 'bank statements',
                'ordering': ('-id',),
            },
        ),
        migrations.CreateModel(
            name='WalletEntry',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('company', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='wallet_entries', to='accounts.company')),
                ('order', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='wallet_entries', to='orders.order')),
                ('kind', models.CharField(choices=[('cancellation', 'Cancellation'), ('overpayment', 'Received beyond the order'), ('use', 'Used for a balance'), ('refund', 'Refund of a wire'), ('correction', 'Correction'), ('paid_out', 'Sent back by bank'), ('opening', 'Opening balance')], max_length=12)),
                ('amount', models.DecimalField(decimal_places=2, max_digits=12)),
                ('note', models.CharField(blank=True, max_length=300)),
                ('actor', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('at', models.DateTimeField()),
            ],
            options={
                'verbose_name': 'wallet entry',
                'verbose_name_plural': 'wallet entries',
                'ordering': ('at', 'id'),
                'constraints': [models.UniqueConstraint(condition=models.Q(('kind__in', ['cancellation', 'overpayment'])), fields=('order', 'kind'), name='walletentry_once'), models.UniqueConstraint(condition=models.Q(('kind', 'opening')), fields=('company',), name='walletentry_one_opening'), models.CheckConstraint(condition=models.Q(('amount', 0), _negated=True), name='walletentry_amount')],
            },
        ),
        migrations.CreateModel(
            name='WireRefund',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('payment', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='wire_refunds', to='payments.payment')),
                ('entry', models.OneToOneField(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='wire_refund', to='payments.walletentry')),
                ('amount', models.DecimalField(decimal_places=2, max_digits=12)),
                ('reason', models.CharField(max_length=200)),
                ('actor', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('at', models.DateTimeField()),
            ],
            options={
                'verbose_name': 'wire refund',
                'verbose_name_plural': 'wire refunds',
                'ordering': ('at', 'id'),
                'constraints': [models.CheckConstraint(condition=models.Q(('amount__gt', 0)), name='wirerefund_amount')],
            },
        ),
        migrations.CreateModel(
            name='BankTransfer',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('refund', models.OneToOneField(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='transfer', to='payments.wirerefund')),
                ('entry', models.OneToOneField(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='transfer', to='payments.walletentry')),
                ('credit', models.OneToOneField(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='transfer', to='payments.bankcredit')),
                ('company', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='bank_transfers', to='accounts.company')),
                ('payee', models.CharField(help_text='who gets it, as far as it is known', max_length=140)),
                ('amount', models.DecimalField(decimal_places=2, max_digits=12)),
                ('currency', models.CharField(default='USD', max_length=3)),
                ('owed_at', models.DateTimeField()),
                ('sent_on', models.DateField(blank=True, help_text='when the bank sent it', null=True)),
                ('reference', models.CharField(blank=True, help_text='of the bank', max_length=80)),
                ('sent_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'verbose_name': 'bank transfer',
                'verbose_name_plural': 'bank transfers',
                'ordering': ('owed_at', 'id'),
                'indexes': [models.Index(condition=models.Q(('sent_on__isnull', True)), fields=['owed_at'], name='banktransfer_owed')],
                'constraints': [models.CheckConstraint(condition=models.Q(('amount__gt', 0)), name='banktransfer_amount'), models.CheckConstraint(condition=models.Q(models.Q(('credit__isnull', True), ('entry__isnull', True), ('refund__isnull', False)), models.Q(('credit__isnull', True), ('entry__isnull', False), ('refund__isnull', True)), models.Q(('credit__isnull', False), ('entry__isnull', True), ('refund__isnull', True)), _connector='OR'), name='banktransfer_one_origin'), models.CheckConstraint(condition=models.Q(models.Q(('reference', ''), ('sent_on__isnull', True)), ('sent_on__isnull', False), _connector='OR'), name='banktransfer_reference')],
            },
        ),
        migrations.CreateModel(
            name='CreditMatch',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('statement', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='matches', to='payments.bankstatement')),
                ('credit', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='matches', to='payments.bankcredit')),
                ('kind', models.PositiveSmallIntegerField(choices=[(0, 'exact'), (1, 'short'), (2, 'split'), (3, 'differs'), (4, 'several'), (5, 'none')])),
                ('choice', models.TextField(blank=True, help_text='the one proposal, as a tick sends it')),
            ],
            options={
                'verbose_name': 'credit match',
                'verbose_name_plural': 'credit matches',
                'constraints': [models.UniqueConstraint(fields=('statement', 'credit'), name='creditmatch_once')],
            },
        ),
        migrations.CreateModel(
            name='PaymentEvent',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('actor', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('at', models.DateTimeField()),
                ('payment', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='events', to='payments.payment')),
                ('from_state', models.CharField(blank=True, max_length=20)),
                ('to_state', models.CharField(max_length=20)),
                ('source', models.CharField(help_text='buyer, return, webhook, reconciler or admin', max_length=12)),
                ('note', models.CharField(blank=True, max_length=500)),
            ],
            options={
                'verbose_name': 'payment event',
                'verbose_name_plural': 'payment events',
                'ordering': ('at', 'id'),
                'abstract': False,
                'indexes': [models.Index(condition=models.Q(('from_state', 'announced')), fields=['at'], name='paymentevent_wires'), models.Index(condition=models.Q(('to_state__in', ('partially_refunded', 'refunded'))), fields=['at'], name='paymentevent_refunds')],
            },
        ),
        migrations.CreateModel(
            name='Refund',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('payment', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='refunds', to='payments.payment')),
                ('key', models.UUIDField(default=uuid.uuid4, unique=True)),
                ('amount', models.DecimalField(decimal_places=2, max_digits=12)),
                ('state', models.CharField(choices=[('queued', 'Queued'), ('pending', 'Pending'), ('completed', 'Completed'), ('failed', 'Failed')], default='queued', max_length=10)),
                ('reason', models.CharField(max_length=200)),
                ('failure', models.CharField(blank=True, help_text='why PayPal refused it', max_length=200)),
                ('debug_id', models.CharField(blank=True, max_length=64)),
                ('refund_id', models.CharField(blank=True, max_length=64, null=True, unique=True)),
                ('actor', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('created_at', models.DateTimeField()),
                ('next_check_at', models.DateTimeField(blank=True, null=True)),
                ('checks', models.PositiveIntegerField(default=0)),
            ],
            options={
                'verbose_name': 'refund',
                'verbose_name_plural': 'refunds',
                'ordering': ('created_at', 'id'),
                'indexes': [models.Index(condition=models.Q(('next_check_at__isnull', False)), fields=['next_check_at'], name='refund_next_check')],
                'constraints': [models.CheckConstraint(condition=models.Q(('amount__gt', 0)), name='refund_amount')],
            },
        ),
        migrations.CreateModel(
            name='StatementLayout',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=80)),
                ('digest', models.CharField(help_text='SHA-256 of the headings', max_length=64, unique=True)),
                ('headings', models.JSONField()),
                ('columns', models.JSONField(help_text='what each column was read as; empty where it was left out')),
                ('kept_at', models.DateTimeField()),
                ('kept_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'verbose_name': 'statement layout',
                'verbose_name_plural': 'statement layouts',
                'ordering': ('name', 'id'),
            },
        ),
        migrations.CreateModel(
            name='WebhookEvent',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('event_id', models.CharField(max_length=80, unique=True)),
                ('event_type', models.CharField(max_length=80)),
                ('body', models.TextField()),
                ('verified_at', models.DateTimeField()),
                ('processed_at', models.DateTimeField(blank=True, null=True)),
                ('note', models.CharField(blank=True, max_length=200)),
            ],
            options={
                'verbose_name': 'webhook event',
                'verbose_name_plural': 'webhook events',
                'indexes': [models.Index(condition=models.Q(('processed_at__isnull', True)), fields=['id'], name='webhookevent_waiting')],
            },
        ),
        migrations.CreateModel(
            name='WireMove',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('source', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='moves_away', to='payments.payment')),
                ('target', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='moved_in', to='payments.payment')),
                ('amount', models.DecimalField(decimal_places=2, max_digits=12)),
                ('reason', models.CharField(max_length=200)),
                ('actor', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('at', models.DateTimeField()),
            ],
            options={
                'verbose_name': 'wire move',
                'verbose_name_plural': 'wire moves',
                'ordering': ('at', 'id'),
                'constraints': [models.CheckConstraint(condition=models.Q(('amount__gt', 0)), name='wiremove_amount'), models.CheckConstraint(condition=models.Q(('source', models.F('target')), _negated=True), name='wiremove_other')],
            },
        ),
        migrations.RunPython(by_hand),
    ]
