"""What is expected of a product next stands on its shelf; it is in no price list, whose change is
noted for the other columns alone.
"""

from typing import Any

from django.db import migrations, models

from apps.common.db.migration import run_sql


def note_on_shelves(apps: Any, schema_editor: Any) -> None:
    """Write each arrival onto its product's shelf."""
    arrivals = apps.get_model("catalog", "Arrival").objects
    own = arrivals.filter(product=models.OuterRef("pk"))
    shelves = apps.get_model("catalog", "Stock").objects.filter(pk__in=arrivals.values("pk"))
    shelves.update(
        arriving=models.Subquery(own.values("pieces")),
        expected_on=models.Subquery(own.values("expected_on")),
    )


def write_arrivals(apps: Any, schema_editor: Any) -> None:
    """Write an arrival for each shelf on which something is expected."""
    arrival = apps.get_model("catalog", "Arrival")
    shelves = apps.get_model("catalog", "Stock").objects.filter(arriving__gt=0)
    arrival.objects.bulk_create(
        arrival(product_id=one.pk, pieces=one.arriving, expected_on=one.expected_on)
        for one in shelves
    )


CREATE = "CREATE TRIGGER catalog_stock_changed AFTER INSERT OR DELETE OR UPDATE"
NOTE = "ON catalog_stock FOR EACH STATEMENT EXECUTE FUNCTION catalog_note_change()"
DROP = "DROP TRIGGER catalog_stock_changed ON catalog_stock"


class Migration(migrations.Migration):
    dependencies = [("catalog", "0047_guards_of_rows")]

    operations = [
        migrations.AddField(
            model_name="stock",
            name="arriving",
            field=models.PositiveIntegerField(db_default=0, default=0),
        ),
        migrations.AddField(
            model_name="stock",
            name="expected_on",
            field=models.DateField(blank=True, null=True),
        ),
        migrations.RunPython(note_on_shelves, write_arrivals),
        migrations.AddConstraint(
            model_name="stock",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("arriving", 0), ("expected_on__isnull", True)),
                    models.Q(("arriving__gt", 0), ("expected_on__isnull", False)),
                    _connector="OR",
                ),
                name="stock_arriving",
            ),
        ),
        migrations.DeleteModel(name="Arrival"),
        run_sql(
            postgresql=[DROP, f"{CREATE} OF on_hand, allocated, short {NOTE}"],
            sqlite=[],
            undo_postgresql=[DROP, f"{CREATE} {NOTE}"],
            undo_sqlite=[],
        ),
    ]
