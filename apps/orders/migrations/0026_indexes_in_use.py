from django.db import migrations, models
from django.db.models import Q

from apps.common.db.migration import AddIndexInUse


class Migration(migrations.Migration):
    """The events' indexes of the migrations before, and those that staff's searches take."""

    atomic = False  # both tables stay writable while they are indexed

    dependencies = [
        ('orders', '0025_buyer_files'),
    ]

    operations = [
        migrations.SeparateDatabaseAndState(database_operations=[
            AddIndexInUse('orderevent', models.Index(fields=['to_status', 'at'], name='orderevent_steps', condition=Q(kind='status', to_status__gte=2))),
            AddIndexInUse('orderevent', models.Index(fields=['at'], name='orderevent_answers', condition=Q(kind__in=('memo', 'read')))),
        ]),
        AddIndexInUse('orderevent', models.Index(fields=['kind', '-id'], name='orderevent_kinds', condition=~Q(kind='status'))),
        AddIndexInUse('orderevent', models.Index(fields=['actor', '-id'], name='orderevent_actors', condition=Q(actor__isnull=False))),
        AddIndexInUse('order', models.Index(fields=['tracking_number'], name='order_tracking', opclasses=['varchar_pattern_ops'], condition=~Q(tracking_number=''))),
        AddIndexInUse('order', models.Index(fields=['po_number'], name='order_po', opclasses=['varchar_pattern_ops'], condition=~Q(po_number=''))),
        migrations.RemoveIndex('order', 'order_tracking_number'),
        migrations.RemoveIndex('order', 'order_po_number'),
    ]
