"""What a payment is for, deposit or balance, is its kind."""

from django.db import migrations, models
from django.db.models import Q

LIVE = ["executing", "unknown", "pending", "captured", "partially_refunded"]


class Migration(migrations.Migration):

    dependencies = [
        ('payments', '0008_payment_states'),
    ]

    operations = [
        migrations.RemoveConstraint(model_name='payment', name='payment_one_live_paypal'),
        migrations.RemoveConstraint(model_name='payment', name='payment_one_announced_wire'),
        migrations.RenameField(model_name='payment', old_name='leg', new_name='kind'),
        migrations.AddConstraint(
            model_name='payment',
            constraint=models.UniqueConstraint(condition=Q(('method', 'PAYPAL'), ('state__in', LIVE)), fields=('invoice_code', 'kind'), name='payment_one_live_paypal'),
        ),
        migrations.AddConstraint(
            model_name='payment',
            constraint=models.UniqueConstraint(condition=Q(('method', 'T/T'), ('state', 'announced')), fields=('invoice_code', 'kind'), name='payment_one_announced_wire'),
        ),
    ]
