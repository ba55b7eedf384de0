"""A group of the right to change the portal's settings, for who is no superuser."""

from typing import Any

from django.db import migrations

NAME = "Settings"


def make_group(apps: Any, schema_editor: Any) -> None:
    kind, _ = apps.get_model("contenttypes", "ContentType").objects.get_or_create(
        app_label="common", model="seller"
    )
    permission, _ = apps.get_model("auth", "Permission").objects.get_or_create(
        content_type=kind, codename="change_seller", defaults={"name": "Can change settings"}
    )
    apps.get_model("auth", "Group").objects.get_or_create(name=NAME)[0].permissions.set([permission])


def drop_group(apps: Any, schema_editor: Any) -> None:
    apps.get_model("auth", "Group").objects.filter(name=NAME).delete()


class Migration(migrations.Migration):
    dependencies = [("portal", "0016_no_promise_tally"), ("common", "0001_seller")]

    operations = [migrations.RunPython(make_group, drop_group)]
