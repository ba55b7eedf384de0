from django.db import migrations

from apps.common.db.migration import run_sql

# The mails to a customer's people are found without reading all mails. By hash: a mail to many has a long address line.
POSTGRESQL = 'CREATE INDEX portal_mails_to ON post_office_email USING hash ("to")'
SQLITE = 'CREATE INDEX portal_mails_to ON post_office_email ("to")'


class Migration(migrations.Migration):

    dependencies = [
        ("portal", "0011_promise_tally"),
        ("post_office", "0014_alter_email_recipient_delivery_status_and_more"),
    ]

    operations = [
        run_sql(
            postgresql=[POSTGRESQL],
            sqlite=[SQLITE],
            undo_postgresql=["DROP INDEX portal_mails_to"],
            undo_sqlite=["DROP INDEX portal_mails_to"],
        ),
    ]
