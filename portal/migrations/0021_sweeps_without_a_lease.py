"""A sweep on SQLite is locked by a file."""

from typing import ClassVar

from django.db import migrations


class Migration(migrations.Migration):
    dependencies: ClassVar = [("portal", "0020_prices_group")]

    operations: ClassVar = [
        migrations.RemoveField(model_name="sweeprun", name="holder"),
        migrations.RemoveField(model_name="sweeprun", name="lease_until"),
    ]
