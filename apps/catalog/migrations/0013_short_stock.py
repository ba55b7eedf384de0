from django.db import migrations, models
from django.db.models import Q

from apps.common.db.migration import AddIndexInUse


class Migration(migrations.Migration):

    atomic = False  # orders go on meanwhile

    dependencies = [
        ('catalog', '0012_search_trigrams'),
    ]

    operations = [
        AddIndexInUse('stock', models.Index(fields=['product'], name='stock_short', condition=Q(short__gt=0))),
    ]
