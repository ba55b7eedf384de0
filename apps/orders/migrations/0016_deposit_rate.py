from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("orders", "0015_conversation")]

    operations = [
        migrations.AddField(
            model_name="temporaryorder",
            name="deposit_rate",
            field=models.DecimalField(
                decimal_places=4,
                default=settings.DEPOSIT_RATE,
                help_text="share of the total, frozen as the prices",
                max_digits=5,
            ),
            preserve_default=False,
        ),
    ]
