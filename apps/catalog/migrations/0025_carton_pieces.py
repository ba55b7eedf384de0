from django.db import migrations, models


class Migration(migrations.Migration):
    """A company's own codes hold what is in a carton of a product."""

    dependencies = [("catalog", "0024_lookups_by_hash")]

    operations = [
        migrations.AddField(
            model_name="owncode",
            name="pieces",
            field=models.PositiveIntegerField(
                null=True, blank=True, help_text="in a carton; empty: a code of a product"
            ),
        ),
    ]
