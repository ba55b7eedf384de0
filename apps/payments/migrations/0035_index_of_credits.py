from django.db import migrations, models

from apps.common.db.migration import AddIndexInUse


class Migration(migrations.Migration):
    """The payments that came with a credit of the bank."""

    atomic = False  # payments stay writable while they are indexed

    dependencies = [("payments", "0034_credit_of_a_payment")]

    operations = [
        AddIndexInUse(
            model_name="payment",
            index=models.Index(
                condition=models.Q(("bank_credit__isnull", False)),
                fields=["bank_credit"],
                name="payment_bank_credit",
            ),
        ),
    ]
