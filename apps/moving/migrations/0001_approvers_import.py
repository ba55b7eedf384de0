"""Approvers import customers and their people; which kinds somebody may import, each kind says."""

from typing import Any

from django.db import migrations

ALLOWED = ("view_import", "add_import", "change_import", "view_importrow")


def allow_approvers(apps: Any, schema_editor: Any) -> None:
    group, _ = apps.get_model("auth", "Group").objects.get_or_create(name="Approvers")
    found = apps.get_model("auth", "Permission").objects.filter(
        content_type__app_label="catalog", codename__in=ALLOWED
    )
    group.permissions.add(*found)


class Migration(migrations.Migration):

    dependencies = [("catalog", "0036_kinds_of_imports"), ("portal", "0002_staff_groups")]

    operations = [migrations.RunPython(allow_approvers, migrations.RunPython.noop)]
