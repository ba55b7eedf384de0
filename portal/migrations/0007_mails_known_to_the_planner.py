from django.db import migrations

from apps.common.db.migration import run_sql

# A batch is taken from its index as soon as the statistics know of ten mails that wait: so they are taken anew with
# every 500 changes, however many mails were sent before.
OFTEN = "SET (autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 500)"
USUAL = "RESET (autovacuum_analyze_scale_factor, autovacuum_analyze_threshold)"


class Migration(migrations.Migration):

    dependencies = [
        ("portal", "0006_waiting_mails"),
    ]

    operations = [
        run_sql(
            postgresql=[f"ALTER TABLE post_office_email {OFTEN}"],
            sqlite=[],
            undo_postgresql=[f"ALTER TABLE post_office_email {USUAL}"],
            undo_sqlite=[],
        ),
    ]
