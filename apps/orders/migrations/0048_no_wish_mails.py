"""On which day a buyer was last told of offers stands with the user; the table of days is gone."""

from typing import Any

from django.db import migrations, models


def note_last(apps: Any, schema_editor: Any) -> None:
    """Write the newest day of each buyer's mails into the user."""
    mails = apps.get_model("orders", "WishMail").objects.filter(user=models.OuterRef("pk"))
    last = models.Subquery(mails.order_by("-day").values("day")[:1])
    users = apps.get_model("accounts", "User").objects.filter(wish_mails__isnull=False)
    users.update(offers_told_on=last)


def write_mails(apps: Any, schema_editor: Any) -> None:
    """Write the day of each buyer's last mail as a row."""
    mail = apps.get_model("orders", "WishMail")
    users = apps.get_model("accounts", "User").objects.filter(offers_told_on__isnull=False)
    mail.objects.bulk_create(mail(user=user, day=user.offers_told_on) for user in users)


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0028_told_of_offers"),
        ("orders", "0047_names_of_models"),
    ]

    operations = [
        migrations.RunPython(note_last, write_mails),
        migrations.DeleteModel(name="WishMail"),
    ]
