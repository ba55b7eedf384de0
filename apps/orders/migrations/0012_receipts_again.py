"""A receipt may be issued again, for an order that was paid once more."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('orders', '0011_former_trackings'),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name='issueddocument',
            name='orderpaper_revision',
        ),
        migrations.AddConstraint(
            model_name='issueddocument',
            constraint=models.CheckConstraint(condition=models.Q(('revision', 1), models.Q(('kind__in', ['commercial', 'receipt']), ('revision__gt', 1)), _connector='OR'), name='orderpaper_revision'),
        ),
    ]
