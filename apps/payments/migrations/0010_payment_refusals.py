"""Checks that found nothing taken are refusals."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("payments", "0009_payment_kind")]

    operations = [migrations.RenameField("payment", "nays", "refusals")]
