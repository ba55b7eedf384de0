from django.db import migrations, models

MEASURES = {
    "price_drop": "price",
    "price_rise": "rise",
    "is_free": "free",
    "is_above_usrp": "above",
    "is_below_promotion": "promotion",
    "stock_fall": "fall",
    "short": "promised",
}
PART = 500


def put_together(apps, schema_editor):
    """Put the guards of rows and their measures, a column each, into one."""
    model = apps.get_model("catalog", "ImportRow")
    held = ~models.Q(names="")
    for name in MEASURES:
        is_set = {name: True} if name.startswith("is_") else {f"{name}__gt": 0}
        held |= models.Q(**is_set)
    part = []
    for row in model.objects.filter(held).iterator(chunk_size=PART):
        row.guards = {to: int(getattr(row, name)) for name, to in MEASURES.items() if getattr(row, name)}
        row.guards |= {name: 1 for name in row.names.split(",") if name}
        part.append(row)
        if len(part) == PART:
            model.objects.bulk_update(part, ["guards"])
            part = []
    model.objects.bulk_update(part, ["guards"])


class Migration(migrations.Migration):

    dependencies = [
        ("catalog", "0046_names_of_promotion_items"),
    ]

    operations = [
        migrations.RenameField("importrow", "guards", "names"),
        migrations.AddField(
            "importrow",
            "guards",
            models.JSONField(default=dict, help_text="those that hold it back, each with its measure, 1 without one"),
        ),
        migrations.RunPython(put_together, migrations.RunPython.noop),
        migrations.RemoveField("importrow", "names"),
        *[migrations.RemoveField("importrow", name) for name in MEASURES],
        migrations.RemoveField("importrow", "has_price"),
        migrations.RemoveField("importrow", "has_stock"),
    ]
