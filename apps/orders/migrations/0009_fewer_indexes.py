"""Indexes that another one begins with, or that nothing is looked up by, go: each order wrote to all of them."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('accounts', '0004_names_of_states'),
        ('orders', '0008_unread_orders'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AlterField(
            model_name='order',
            name='company',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='orders', to='accounts.company'),
        ),
        migrations.AlterField(
            model_name='order',
            name='ship_country',
            field=models.ForeignKey(blank=True, db_index=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='accounts.addressentry'),
        ),
        migrations.AlterField(
            model_name='order',
            name='ship_state',
            field=models.ForeignKey(blank=True, db_index=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='accounts.addressentry'),
        ),
        migrations.AlterField(
            model_name='order',
            name='user',
            field=models.ForeignKey(db_index=False, help_text='who ordered', on_delete=django.db.models.deletion.PROTECT, related_name='orders', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AlterField(
            model_name='orderevent',
            name='actor',
            field=models.ForeignKey(blank=True, db_index=False, help_text='empty: the portal', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AlterField(
            model_name='orderline',
            name='order',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='lines', to='orders.order'),
        ),
        migrations.AlterField(
            model_name='temporaryorder',
            name='ship_country',
            field=models.ForeignKey(blank=True, db_index=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='accounts.addressentry'),
        ),
        migrations.AlterField(
            model_name='temporaryorder',
            name='ship_state',
            field=models.ForeignKey(blank=True, db_index=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='accounts.addressentry'),
        ),
        migrations.AlterField(
            model_name='temporaryorder',
            name='user',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='temporary_orders', to=settings.AUTH_USER_MODEL),
        ),
    ]
