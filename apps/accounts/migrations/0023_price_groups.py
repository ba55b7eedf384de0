import apps.common.names
import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('accounts', '0022_invitations'),
    ]

    operations = [
        migrations.CreateModel(
            name='PriceGroup',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', apps.common.names.NameField(max_length=80, unique=True, verbose_name='name')),
                ('percent', models.DecimalField(decimal_places=2, default=0, help_text='added to wholesale prices: -10 is ten per cent off', max_digits=5, verbose_name='percent')),
                ('minimum_order', models.DecimalField(blank=True, decimal_places=2, help_text='empty: that of the settings', max_digits=12, null=True, verbose_name='minimum order $')),
                ('deposit_rate', models.DecimalField(blank=True, decimal_places=2, help_text="share of an order's subtotal; empty: the house's", max_digits=3, null=True, verbose_name='deposit share')),
            ],
            options={
                'verbose_name': 'price group',
                'verbose_name_plural': 'price groups',
                'ordering': ('name',),
                'constraints': [models.CheckConstraint(condition=models.Q(('percent__gte', -100)), name='pricegroup_percent'), models.CheckConstraint(condition=models.Q(('minimum_order__isnull', True), ('minimum_order__gte', 0), _connector='OR'), name='pricegroup_minimum_order'), models.CheckConstraint(condition=models.Q(('deposit_rate__isnull', True), models.Q(('deposit_rate__gte', 0), ('deposit_rate__lte', 1)), _connector='OR'), name='pricegroup_deposit_rate')],
            },
        ),
        migrations.AddField(
            model_name='company',
            name='price_group',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='companies', to='accounts.pricegroup', verbose_name='price group'),
        ),
    ]
