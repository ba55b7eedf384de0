from django.db import migrations, models
from django.db.models import Q

from apps.common.db.migration import AddIndexInUse, add_trigrams


class Migration(migrations.Migration):
    """The events' indexes of the migration before, and what staff's search of payments looks through."""

    atomic = False  # both tables stay writable while they are indexed

    dependencies = [
        ('payments', '0018_proof_of_payment'),
    ]

    operations = [
        migrations.SeparateDatabaseAndState(database_operations=[
            AddIndexInUse('paymentevent', models.Index(fields=['at'], name='paymentevent_wires', condition=Q(from_state='announced'))),
            AddIndexInUse('paymentevent', models.Index(fields=['at'], name='paymentevent_refunds', condition=Q(to_state__in=('partially_refunded', 'refunded')))),
        ]),
        add_trigrams(
            index="payment_trigrams",
            table="payments_payment",
            columns="UPPER(invoice_code::text) gin_trgm_ops, UPPER(depositor::text) gin_trgm_ops",
            slow="staff's searches read all payments",
        ),
    ]
