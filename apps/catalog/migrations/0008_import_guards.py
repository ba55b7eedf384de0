"""Guards of an import for prices that rise and counts that fall beyond belief."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('catalog', '0007_brand_counts_by_services'),
    ]

    operations = [
        migrations.AddField(
            model_name='importrow',
            name='price_rise',
            field=models.PositiveIntegerField(default=0, help_text='percent, where it is more than 100'),
        ),
        migrations.AddField(
            model_name='importrow',
            name='stock_fall',
            field=models.PositiveIntegerField(default=0, help_text='pieces, where less than a tenth is left'),
        ),
    ]
