"""The tree of countries and states (ISO 3166-1, 3166-2) and the kinds of business."""

import pycountry
from django.db import migrations

BUSINESS_TYPES = (
    "Distributor",
    "Wholesaler",
    "Online retailer",
    "Offline retailer",
    "Beauty salon or spa",
    "Pharmacy",
    "Other",
)


def load(apps, schema_editor):
    AddressEntry = apps.get_model("accounts", "AddressEntry")
    BusinessType = apps.get_model("accounts", "BusinessType")
    countries = sorted(pycountry.countries, key=lambda c: getattr(c, "common_name", c.name).casefold())
    AddressEntry.objects.bulk_create(
        AddressEntry(code=country.alpha_2, content=getattr(country, "common_name", country.name))
        for country in countries
    )
    ids = dict(AddressEntry.objects.values_list("code", "id"))
    # The first level of subdivisions: those that belong to another subdivision are left out.
    states = [state for state in pycountry.subdivisions if not state.parent_code and state.country_code in ids]
    AddressEntry.objects.bulk_create(
        (
            AddressEntry(code=state.code, content=state.name, parent_id=ids[state.country_code])
            for state in sorted(states, key=lambda s: s.name.casefold())
        ),
        batch_size=500,
    )
    BusinessType.objects.bulk_create(
        BusinessType(type=name, position=position) for position, name in enumerate(BUSINESS_TYPES)
    )


class Migration(migrations.Migration):
    dependencies = [("accounts", "0001_initial")]

    operations = [migrations.RunPython(load, migrations.RunPython.noop)]
