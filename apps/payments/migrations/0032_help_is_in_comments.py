"""What a column holds stands beside it: no form shows it. The states of events have their words."""

import django.db.models.deletion
from decimal import Decimal
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('orders', 'all_squashed_0047_names_of_models'),
        ('payments', '0031_no_names_of_columns'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AlterField(
            model_name='bankcredit',
            name='booked_on',
            field=models.DateField(blank=True, null=True),
        ),
        migrations.AlterField(
            model_name='bankcredit',
            name='like',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='payments.bankcredit'),
        ),
        migrations.AlterField(
            model_name='bankcredit',
            name='ordinal',
            field=models.PositiveIntegerField(),
        ),
        migrations.AlterField(
            model_name='bankcredit',
            name='references',
            field=models.JSONField(blank=True, db_default={}, default=dict),
        ),
        migrations.AlterField(
            model_name='bankcredit',
            name='sent_back_at',
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AlterField(
            model_name='bankstatement',
            name='compared',
            field=models.CharField(blank=True, db_default='', default='', max_length=64),
        ),
        migrations.AlterField(
            model_name='bankstatement',
            name='digest',
            field=models.CharField(max_length=64, unique=True),
        ),
        migrations.AlterField(
            model_name='bankstatement',
            name='left_out',
            field=models.JSONField(db_default=[], default=list),
        ),
        migrations.AlterField(
            model_name='bankstatement',
            name='put_away_at',
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AlterField(
            model_name='banktransfer',
            name='payee',
            field=models.CharField(max_length=140),
        ),
        migrations.AlterField(
            model_name='banktransfer',
            name='reference',
            field=models.CharField(blank=True, max_length=80),
        ),
        migrations.AlterField(
            model_name='banktransfer',
            name='sent_on',
            field=models.DateField(blank=True, null=True),
        ),
        migrations.AlterField(
            model_name='creditmatch',
            name='choice',
            field=models.TextField(blank=True),
        ),
        migrations.AlterField(
            model_name='payment',
            name='alarm',
            field=models.CharField(blank=True, max_length=200),
        ),
        migrations.AlterField(
            model_name='payment',
            name='amount',
            field=models.DecimalField(decimal_places=2, max_digits=12),
        ),
        migrations.AlterField(
            model_name='payment',
            name='base',
            field=models.DecimalField(decimal_places=2, max_digits=12),
        ),
        migrations.AlterField(
            model_name='payment',
            name='checkout',
            field=models.JSONField(blank=True, null=True),
        ),
        migrations.AlterField(
            model_name='payment',
            name='fee',
            field=models.DecimalField(decimal_places=2, default=Decimal('0.00'), max_digits=12),
        ),
        migrations.AlterField(
            model_name='payment',
            name='invoice_number',
            field=models.CharField(blank=True, max_length=48),
        ),
        migrations.AlterField(
            model_name='payment',
            name='proof',
            field=models.OneToOneField(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='payment', to='orders.buyerfile'),
        ),
        migrations.AlterField(
            model_name='payment',
            name='received',
            field=models.DecimalField(decimal_places=2, default=Decimal('0.00'), max_digits=12),
        ),
        migrations.AlterField(
            model_name='payment',
            name='refusals',
            field=models.PositiveSmallIntegerField(default=0),
        ),
        migrations.AlterField(
            model_name='payment',
            name='reminders',
            field=models.PositiveSmallIntegerField(db_default=0, default=0),
        ),
        migrations.AlterField(
            model_name='payment',
            name='taken',
            field=models.DecimalField(blank=True, decimal_places=2, max_digits=12, null=True),
        ),
        migrations.AlterField(
            model_name='payment',
            name='user',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='payments', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AlterField(
            model_name='paymentevent',
            name='from_state',
            field=models.CharField(blank=True, choices=[('announced', 'Announced'), ('created', 'Link issued'), ('approved', 'Approved'), ('executing', 'Executing'), ('unknown', 'Unknown'), ('pending', 'Pending'), ('captured', 'Received'), ('held', 'Held'), ('failed', 'Failed'), ('expired', 'Expired'), ('refused', 'Refused'), ('partially_refunded', 'Partially refunded'), ('refunded', 'Refunded'), ('reversed', 'Reversed')], max_length=20),
        ),
        migrations.AlterField(
            model_name='paymentevent',
            name='source',
            field=models.CharField(choices=[('buyer', 'the buyer'), ('return', 'the buyer, back from PayPal'), ('webhook', 'PayPal'), ('reconciler', 'the portal, by asking PayPal'), ('admin', 'staff')], max_length=12),
        ),
        migrations.AlterField(
            model_name='paymentevent',
            name='to_state',
            field=models.CharField(choices=[('announced', 'Announced'), ('created', 'Link issued'), ('approved', 'Approved'), ('executing', 'Executing'), ('unknown', 'Unknown'), ('pending', 'Pending'), ('captured', 'Received'), ('held', 'Held'), ('failed', 'Failed'), ('expired', 'Expired'), ('refused', 'Refused'), ('partially_refunded', 'Partially refunded'), ('refunded', 'Refunded'), ('reversed', 'Reversed')], max_length=20),
        ),
        migrations.AlterField(
            model_name='refund',
            name='failure',
            field=models.CharField(blank=True, max_length=200),
        ),
        migrations.AlterField(
            model_name='statementlayout',
            name='columns',
            field=models.JSONField(),
        ),
        migrations.AlterField(
            model_name='statementlayout',
            name='digest',
            field=models.CharField(max_length=64, unique=True),
        ),
    ]
