from django.conf import settings
from django.db import migrations, models
from django.db.models.functions import Lower


class Migration(migrations.Migration):
    """Saved filters of several lists: each has names of its own. What is kept is of the orders' list."""

    dependencies = [
        ("orders", "0032_parcel"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            "savedfilter",
            "page",
            models.CharField(
                choices=[("orders", "Orders"), ("customers", "Customers")],
                db_default="orders",
                default="orders",
                help_text="whose list it filters",
                max_length=20,
            ),
        ),
        migrations.RemoveConstraint("savedfilter", "savedfilter_name"),
        migrations.AddConstraint(
            "savedfilter",
            models.UniqueConstraint("owner", "page", Lower("name"), name="savedfilter_page_name"),
        ),
    ]
