from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("accounts", "0027_no_former_terms")]

    operations = [
        migrations.AddField(
            model_name="user",
            name="offers_told_on",
            field=models.DateField(blank=True, editable=False, null=True),
        ),
    ]
