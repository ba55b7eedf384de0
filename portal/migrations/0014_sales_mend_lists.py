"""Sales see and mend what companies' own lists are read by: their codes and layouts."""

from django.db import migrations

MODELS, ACTIONS = {"owncode": "own code", "listlayout": "layout of a list"}, ("view", "change", "delete")


def let_sales_mend(apps, schema_editor):
    sales, _ = apps.get_model("auth", "Group").objects.get_or_create(name="Sales")
    for model, words in MODELS.items():
        kind, _ = apps.get_model("contenttypes", "ContentType").objects.get_or_create(app_label="catalog", model=model)
        for action in ACTIONS:
            permission, _ = apps.get_model("auth", "Permission").objects.get_or_create(
                content_type=kind, codename=f"{action}_{model}", defaults={"name": f"Can {action} {words}"}
            )
            sales.permissions.add(permission)


def keep_from_sales(apps, schema_editor):
    names = [f"{action}_{model}" for model in MODELS for action in ACTIONS]
    for group in apps.get_model("auth", "Group").objects.filter(name="Sales"):
        group.permissions.remove(*group.permissions.filter(codename__in=names))


class Migration(migrations.Migration):
    dependencies = [
        ("portal", "0013_sales_see_wishes"),
        ("catalog", "0019_list_layouts"),
    ]

    operations = [migrations.RunPython(let_sales_mend, keep_from_sales)]
