from decimal import Decimal

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('orders', '0001_initial'),
    ]

    operations = [
        migrations.AddField(
            model_name='temporaryorder',
            name='ordered_at',
            field=models.DateTimeField(blank=True, help_text='when it became an order', null=True),
        ),
        migrations.AddField(
            model_name='order',
            name='written_off',
            field=models.DecimalField(decimal_places=2, default=Decimal('0.00'), help_text='missing from wires, not asked for any more', max_digits=12),
        ),
        migrations.RemoveConstraint(
            model_name='order',
            name='order_money',
        ),
        migrations.AddConstraint(
            model_name='order',
            constraint=models.CheckConstraint(condition=models.Q(('deposit__gte', 0), ('deposit_received__gte', 0), ('real_total__gte', 0), ('total__gte', 0), ('credited__gte', 0), ('received__gte', 0), ('shipping_fee__gte', 0), ('written_off__gte', 0)), name='order_money'),
        ),
    ]
