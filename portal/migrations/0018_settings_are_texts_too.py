"""The group “Settings” changes texts and publishes the policy too."""

from typing import Any

from django.db import migrations

NAME = "Settings"
RIGHTS = (
    ("mailtext", "change_mailtext", "Can change mail text"),
    ("policy", "add_policy", "Can add policy"),
)


def give_rights(apps: Any, schema_editor: Any) -> None:
    kinds = apps.get_model("contenttypes", "ContentType").objects
    permissions = apps.get_model("auth", "Permission").objects
    group = apps.get_model("auth", "Group").objects.get_or_create(name=NAME)[0]
    for model, codename, name in RIGHTS:
        kind, _ = kinds.get_or_create(app_label="common", model=model)
        permission, _ = permissions.get_or_create(
            content_type=kind, codename=codename, defaults={"name": name}
        )
        group.permissions.add(permission)


class Migration(migrations.Migration):
    dependencies = [("portal", "0017_settings_group"), ("common", "0002_texts")]

    operations = [migrations.RunPython(give_rights, migrations.RunPython.noop)]
