"""A payment names the bank's credit that it came with; the table between them is gone."""

from typing import Any

import django.db.models.deletion
from django.db import migrations, models


def tie(apps: Any, schema_editor: Any) -> None:
    """Write into each payment the credit that it was booked from."""
    payments = apps.get_model("payments", "Payment").objects
    booking = apps.get_model("payments", "BankBooking").objects.filter(payment=models.OuterRef("pk"))
    credit = models.Subquery(booking.values("credit"))
    payments.filter(bank_booking__isnull=False).update(bank_credit=credit)


def untie(apps: Any, schema_editor: Any) -> None:
    """Write a booking for each payment that names its credit."""
    booking = apps.get_model("payments", "BankBooking")
    payments = apps.get_model("payments", "Payment").objects.filter(bank_credit__isnull=False)
    booking.objects.bulk_create(
        booking(credit_id=payment.bank_credit_id, payment=payment) for payment in payments
    )


class Migration(migrations.Migration):
    dependencies = [("payments", "0033_no_kept_matches")]

    operations = [
        migrations.AddField(
            model_name="payment",
            name="bank_credit",
            field=models.ForeignKey(
                blank=True,
                db_index=False,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="payments",
                to="payments.bankcredit",
            ),
        ),
        migrations.RunPython(tie, untie),
        migrations.DeleteModel(name="BankBooking"),
    ]
