"""A group of the one right that Sales do not have: to declare another value on a commercial invoice."""

from django.db import migrations

NAME = "Declared values"


def make_group(apps, schema_editor):
    kind, _ = apps.get_model("contenttypes", "ContentType").objects.get_or_create(app_label="orders", model="order")
    permission, _ = apps.get_model("auth", "Permission").objects.get_or_create(
        content_type=kind,
        codename="declare_value",
        defaults={"name": "Can declare another value on a commercial invoice"},
    )
    apps.get_model("auth", "Group").objects.get_or_create(name=NAME)[0].permissions.set([permission])


def drop_group(apps, schema_editor):
    apps.get_model("auth", "Group").objects.filter(name=NAME).delete()


class Migration(migrations.Migration):
    dependencies = [
        ("portal", "0003_hold_a_sweep"),
        ("orders", "0006_commercial_invoice"),
    ]

    operations = [migrations.RunPython(make_group, drop_group)]
