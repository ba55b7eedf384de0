"""How well a credit is matched is worked out as it is shown, and not kept."""

from django.db import migrations


class Migration(migrations.Migration):
    """Forget the matches, and with what they were found."""

    dependencies = [("payments", "0032_help_is_in_comments")]

    operations = [
        migrations.RemoveField(model_name="bankstatement", name="compared"),
        migrations.DeleteModel(name="CreditMatch"),
    ]
