from django.db import migrations, models

from apps.common.db.migration import AddIndexInUse


class Migration(migrations.Migration):
    """The wishes for which something is held, by company: each order looks for its own."""

    atomic = False  # wishes stay writable while they are indexed

    dependencies = [
        ('orders', '0030_offers'),
    ]

    operations = [
        AddIndexInUse('wish', models.Index(fields=['company', 'product'], name='wish_offers', condition=models.Q(held__gt=0))),
    ]
