"""What is almost like a search is found by trigrams."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("catalog", "0030_guards_of_prices")]

    operations = [migrations.DeleteModel(name="SearchWord")]
