import logging

from django.db import migrations

import apps.accounts.models
from apps.accounts.models import normalize_email
from apps.common.email_addresses import check_email


def respell(registry, schema_editor):
    """Give each mailbox its one spelling; of two accounts of one mailbox, the one that is used keeps it.

    The other is closed under an address of its own, for staff to decide.
    """
    users = registry.get_model("accounts", "User").objects
    for user in users.filter(email__contains="xn--").order_by("pk"):
        address = normalize_email(user.email)
        if address == user.email:
            continue
        other = users.filter(email=address).first()
        if other is not None:
            closed = user if _is_used(other) else other
            name, _, host = address.rpartition("@")
            closed.email, closed.is_active = f"{name}+{closed.pk}@{host}", False
            closed.session_version += 1
            closed.save()
            logging.getLogger("portal.migrations").warning(
                "Two accounts of one mailbox: user %s is closed", closed.pk
            )
            if closed is user:
                continue
        user.email = address
        user.save()
    for link in registry.get_model("accounts", "EmailVerification").objects.filter(email__contains="xn--"):
        link.email = normalize_email(link.email)
        link.save()


def _is_used(user):
    return user.is_active and (user.is_staff or user.approval == "approved")


class Migration(migrations.Migration):

    dependencies = [
        ('accounts', '0010_mentions'),
    ]

    operations = [
        migrations.RunPython(respell, migrations.RunPython.noop),
        migrations.AlterField(
            model_name='emailverification',
            name='email',
            field=apps.accounts.models.MailboxField(max_length=254),
        ),
        migrations.AlterField(
            model_name='user',
            name='email',
            field=apps.accounts.models.MailboxField(max_length=254, unique=True, validators=[check_email]),
        ),
    ]
