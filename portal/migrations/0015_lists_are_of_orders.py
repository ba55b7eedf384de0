"""Who may see and mend own codes and layouts of lists still may, now that they are of the orders."""

from django.db import migrations


def move(apps, schema_editor, source="catalog", target="orders"):
    kinds = apps.get_model("contenttypes", "ContentType").objects
    kinds.filter(app_label=source, model__in=("owncode", "listlayout")).update(app_label=target)


def move_back(apps, schema_editor):
    move(apps, schema_editor, source="orders", target="catalog")


class Migration(migrations.Migration):
    dependencies = [("portal", "0014_sales_mend_lists"), ("orders", "0038_lists_in_hand")]

    operations = [migrations.RunPython(move, move_back)]
