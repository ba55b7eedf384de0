"""The beginning of the codes of the orders that there are, where no other is set: it was a variable."""

from typing import Any

from django.db import migrations


def keep_prefix(apps: Any, schema_editor: Any) -> None:
    order = apps.get_model("orders", "Order").objects.order_by("-pk").first()
    if order is None:
        return
    prefix = order.invoice_code.rsplit("-", 2)[0]
    sellers = apps.get_model("common", "Seller").objects
    sellers.get_or_create(pk=1)
    sellers.filter(invoice_prefix="").update(invoice_prefix=prefix[:8])


class Migration(migrations.Migration):
    dependencies = [
        ("portal", "0018_settings_are_texts_too"),
        ("common", "0002_texts"),
        ("orders", "0044_violation"),
    ]

    operations = [migrations.RunPython(keep_prefix, migrations.RunPython.noop)]
