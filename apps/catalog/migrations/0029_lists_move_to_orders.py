"""What companies call products and the layouts of their sheets are kept by the orders app from now
on, in the same tables. Lists that were in hand and messages that staff pasted are dropped.
"""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("catalog", "0028_search_form")]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.DeleteModel(name="OwnCode"),
                migrations.DeleteModel(name="ListLayout"),
            ]
        ),
        migrations.DeleteModel(name="ListInHand"),
        migrations.DeleteModel(name="PastedMessage"),
    ]
