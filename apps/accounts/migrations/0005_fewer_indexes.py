"""Nothing is looked up by a buyer's shipping country or state: their indexes go, as those of orders did."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('accounts', '0004_names_of_states'),
    ]

    operations = [
        migrations.AlterField(
            model_name='user',
            name='ship_country',
            field=models.ForeignKey(blank=True, db_index=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='accounts.addressentry'),
        ),
        migrations.AlterField(
            model_name='user',
            name='ship_state',
            field=models.ForeignKey(blank=True, db_index=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='accounts.addressentry'),
        ),
    ]
