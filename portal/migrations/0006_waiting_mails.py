from django.db import migrations

from apps.common.db.migration import run_sql

# A batch is found without reading all that waits, however much was sent before. SQLite would not use such an index: it
# cannot tell from a parameter which mails are meant.
WAITING = "CREATE INDEX portal_waiting_mails ON post_office_email (priority DESC) WHERE status IN (2, 3)"


class Migration(migrations.Migration):

    dependencies = [
        ("portal", "0005_alerts"),
        ("post_office", "0014_alter_email_recipient_delivery_status_and_more"),
    ]

    operations = [
        run_sql(
            postgresql=[WAITING],
            sqlite=[],
            undo_postgresql=["DROP INDEX portal_waiting_mails"],
            undo_sqlite=[],
        ),
    ]
