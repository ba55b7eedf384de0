import django.db.models.functions.text
import django.db.models.lookups
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('orders', '0017_saved_baskets'),
    ]

    operations = [
        migrations.AddField(
            model_name='order',
            name='po_number',
            field=models.CharField(blank=True, help_text="the buyer's own", max_length=40, verbose_name='PO number'),
        ),
        migrations.AlterField(
            model_name='orderevent',
            name='kind',
            field=models.CharField(choices=[('status', 'Status'), ('address', 'Address changed'), ('message', 'Message'), ('ship_memo', 'Shipping request'), ('memo', 'Answer'), ('note', 'Internal note'), ('lines', 'Lines'), ('payment', 'Payment'), ('packing', 'Packing'), ('document', 'Document'), ('declared', 'Declared value'), ('read', 'No answer needed'), ('tracking', 'Tracking number'), ('mail', 'Mail to the buyer'), ('po_number', 'PO number')], max_length=12),
        ),
        migrations.AddIndex(
            model_name='order',
            index=models.Index(condition=models.Q(('po_number', ''), _negated=True), fields=['po_number'], name='order_po_number'),
        ),
        migrations.AddConstraint(
            model_name='order',
            constraint=models.CheckConstraint(condition=django.db.models.lookups.LessThanOrEqual(django.db.models.functions.text.Length('po_number'), 40), name='order_po_number_length'),
        ),
    ]
