"""Indexes that nothing is looked up by go: each payment wrote to all of them."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


# PostgreSQL's second index of a text, for the beginnings of it: these texts are looked up whole.
BEGINNINGS = (
    "payments_payment_invoice_code_a6fa4ceb_like",
    "payments_payment_paypal_payment_id_200847cc_like",
    "payments_payment_sale_id_6f38f6a1_like",
)


def drop_beginnings(apps, schema_editor):
    if schema_editor.connection.vendor == "postgresql":
        for name in BEGINNINGS:
            schema_editor.execute(f"DROP INDEX IF EXISTS {name}")


class Migration(migrations.Migration):

    dependencies = [
        ('payments', '0006_payment_taken'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AlterField(
            model_name='payment',
            name='settled_by',
            field=models.ForeignKey(blank=True, db_index=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AlterField(
            model_name='payment',
            name='user',
            field=models.ForeignKey(db_index=False, help_text='who pays', on_delete=django.db.models.deletion.PROTECT, related_name='payments', to=settings.AUTH_USER_MODEL),
        ),
        migrations.RunPython(drop_beginnings, migrations.RunPython.noop),
    ]
