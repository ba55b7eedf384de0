"""States as they are written on a parcel: without the code or the second language in brackets behind their names."""

from django.db import migrations


def tidy(apps, schema_editor):
    AddressEntry = apps.get_model("accounts", "AddressEntry")
    states = list(AddressEntry.objects.filter(content__contains=" [", content__endswith="]"))
    for state in states:
        state.content = state.content.partition(" [")[0]
    AddressEntry.objects.bulk_update(states, ["content"])


class Migration(migrations.Migration):
    dependencies = [("accounts", "0003_registration")]

    operations = [migrations.RunPython(tidy, migrations.RunPython.noop)]
