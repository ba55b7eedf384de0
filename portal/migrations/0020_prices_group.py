"""Sales see and set what price groups pay, and close brands to countries."""

from typing import Any

from django.db import migrations

RIGHTS = (
    ("accounts", "pricegroup", ("view", "add", "change", "delete")),
    ("catalog", "brandclosure", ("view", "add", "change", "delete")),
)


def give_rights(apps: Any, schema_editor: Any) -> None:
    kinds = apps.get_model("contenttypes", "ContentType").objects
    permissions = apps.get_model("auth", "Permission").objects
    group = apps.get_model("auth", "Group").objects.filter(name="Sales").first()
    if group is None:
        return
    names = {"pricegroup": "price group", "brandclosure": "closed country"}
    for app, model, verbs in RIGHTS:
        kind, _ = kinds.get_or_create(app_label=app, model=model)
        for verb in verbs:
            permission, _ = permissions.get_or_create(
                content_type=kind,
                codename=f"{verb}_{model}",
                defaults={"name": f"Can {verb} {names[model]}"},
            )
            group.permissions.add(permission)


class Migration(migrations.Migration):
    dependencies = [
        ("portal", "0019_prefix_of_orders"),
        ("accounts", "0023_price_groups"),
        ("catalog", "0039_price_groups"),
    ]

    operations = [migrations.RunPython(give_rights, migrations.RunPython.noop)]
