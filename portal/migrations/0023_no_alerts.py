"""What operators were mailed about stands in the row of the sweep that mails them."""

from typing import Any

from django.db import migrations, models


def keep_keys(apps: Any, schema_editor: Any) -> None:
    """Write the keys of the alerts into the sweep's row."""
    if keys := list(apps.get_model("portal", "Alert").objects.values_list("key", flat=True)):
        runs = apps.get_model("portal", "SweepRun").objects
        runs.update_or_create(name="alerts", defaults={"open_alerts": keys})


class Migration(migrations.Migration):
    dependencies = [("portal", "0022_names_of_models")]

    operations = [
        migrations.AddField(
            model_name="sweeprun",
            name="open_alerts",
            field=models.JSONField(db_default=[], default=list, editable=False),
        ),
        # Back again, operators are told once more of what is still over its limit.
        migrations.RunPython(keep_keys, migrations.RunPython.noop),
        migrations.DeleteModel(name="Alert"),
    ]
