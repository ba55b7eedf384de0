"""Mails that are there already get their topic: all but those about an order, or to the operators, are of registrations."""

import re

from django.conf import settings
from django.db import migrations

ABOUT_AN_ORDER = re.compile(r": \S+-[0-9]{6}-[0-9]{4,}$")
AT_ONCE = 1_000


def set_topics(apps, schema_editor):
    mails = apps.get_model("post_office", "Email").objects.order_by("pk")
    last = 0
    while batch := list(mails.filter(pk__gt=last).only("pk", "to", "subject", "context")[:AT_ONCE]):
        last = batch[-1].pk
        for mail in batch:
            to = [mail.to] if isinstance(mail.to, str) else mail.to
            trade = ABOUT_AN_ORDER.search(mail.subject) or settings.OPERATORS_EMAIL in to
            mail.context = {**(mail.context or {}), "topic": "trade" if trade else "registrations"}
        mails.bulk_update(batch, ["context"])


class Migration(migrations.Migration):
    dependencies = [
        ("portal", "0007_mails_known_to_the_planner"),
        ("post_office", "0014_alter_email_recipient_delivery_status_and_more"),
    ]

    operations = [migrations.RunPython(set_topics, migrations.RunPython.noop)]
