"""A group of the one right that Sales do not have: to set which share of its orders a customer pays as deposit."""

from django.db import migrations

NAME = "Deposit shares"


def make_group(apps, schema_editor):
    kind, _ = apps.get_model("contenttypes", "ContentType").objects.get_or_create(
        app_label="accounts", model="company"
    )
    permission, _ = apps.get_model("auth", "Permission").objects.get_or_create(
        content_type=kind, codename="set_deposit_share", defaults={"name": "Can set a company's deposit share"}
    )
    apps.get_model("auth", "Group").objects.get_or_create(name=NAME)[0].permissions.set([permission])


def drop_group(apps, schema_editor):
    apps.get_model("auth", "Group").objects.filter(name=NAME).delete()


class Migration(migrations.Migration):
    dependencies = [
        ("portal", "0008_topics_of_mails"),
        ("accounts", "0007_customers"),
    ]

    operations = [migrations.RunPython(make_group, drop_group)]
