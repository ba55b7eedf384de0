from django.db import migrations, models
from django.db.models import Q

from apps.common.db.migration import AddIndexInUse


class Migration(migrations.Migration):

    atomic = False  # orders go on meanwhile

    dependencies = [
        ('catalog', '0016_ean'),
    ]

    operations = [
        AddIndexInUse('product', models.Index(fields=['ean'], name='product_by_ean', condition=Q(ean__isnull=False))),
    ]
