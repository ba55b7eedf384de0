"""Sales see what is wanted: the wishes of buyers."""

from django.db import migrations

CODENAME = "view_wish"


def let_sales_see(apps, schema_editor):
    kind, _ = apps.get_model("contenttypes", "ContentType").objects.get_or_create(app_label="orders", model="wish")
    permission, _ = apps.get_model("auth", "Permission").objects.get_or_create(
        content_type=kind, codename=CODENAME, defaults={"name": "Can view wish"}
    )
    apps.get_model("auth", "Group").objects.get_or_create(name="Sales")[0].permissions.add(permission)


def keep_from_sales(apps, schema_editor):
    for group in apps.get_model("auth", "Group").objects.filter(name="Sales"):
        group.permissions.remove(*group.permissions.filter(codename=CODENAME))


class Migration(migrations.Migration):
    dependencies = [
        ("portal", "0012_mails_by_address"),
        ("orders", "0028_wishes"),
    ]

    operations = [migrations.RunPython(let_sales_see, keep_from_sales)]
