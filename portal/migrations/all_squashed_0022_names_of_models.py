"""An empty database gets all tables of the app at once. One of 1.0.0 or later runs the migrations
that this replaces: whoever deletes those moves here what `by_hand` takes from them.
"""

from importlib import import_module

from django.db import migrations, models

BY_HAND = (
    "portal.migrations.0002_staff_groups",
    "apps.catalog.migrations.0004_imports",
    "portal.migrations.0004_declared_values_group",
    "portal.migrations.0006_waiting_mails",
    "portal.migrations.0007_mails_known_to_the_planner",
    "portal.migrations.0009_deposit_shares_group",
    "portal.migrations.0010_sales_see_reports",
    "portal.migrations.0012_mails_by_address",
    "portal.migrations.0013_sales_see_wishes",
    "portal.migrations.0014_sales_mend_lists",
    "portal.migrations.0015_lists_are_of_orders",
    "apps.orders.migrations.0041_confirmation_draft",
    "portal.migrations.0017_settings_group",
    "portal.migrations.0018_settings_are_texts_too",
    "portal.migrations.0020_prices_group",
)


def by_hand(apps, schema_editor):
    """Run what the replaced migrations do beside making tables."""
    for name in BY_HAND:
        for operation in import_module(name).Migration.operations:
            if isinstance(operation, migrations.RunPython):
                operation.code(apps, schema_editor)


class Migration(migrations.Migration):

    replaces = [('portal', '0001_sweep_runs'), ('portal', '0002_staff_groups'), ('portal', '0003_hold_a_sweep'), ('portal', '0004_declared_values_group'), ('portal', '0005_alerts'), ('portal', '0006_waiting_mails'), ('portal', '0007_mails_known_to_the_planner'), ('portal', '0008_topics_of_mails'), ('portal', '0009_deposit_shares_group'), ('portal', '0010_sales_see_reports'), ('portal', '0011_promise_tally'), ('portal', '0012_mails_by_address'), ('portal', '0013_sales_see_wishes'), ('portal', '0014_sales_mend_lists'), ('portal', '0015_lists_are_of_orders'), ('portal', '0016_no_promise_tally'), ('portal', '0017_settings_group'), ('portal', '0018_settings_are_texts_too'), ('portal', '0019_prefix_of_orders'), ('portal', '0020_prices_group'), ('portal', '0021_sweeps_without_a_lease'), ('portal', '0022_names_of_models')]

    initial = True

    dependencies = [
    ]

    operations = [
        migrations.CreateModel(
            name='Alert',
            fields=[
                ('key', models.CharField(max_length=80, primary_key=True, serialize=False)),
                ('since', models.DateTimeField()),
            ],
            options={
                'verbose_name': 'alert',
                'verbose_name_plural': 'alerts',
                'ordering': ('since', 'key'),
            },
        ),
        migrations.CreateModel(
            name='SweepRun',
            fields=[
                ('name', models.CharField(max_length=60, primary_key=True, serialize=False)),
                ('started_at', models.DateTimeField(blank=True, null=True)),
                ('succeeded_at', models.DateTimeField(blank=True, null=True)),
                ('failure', models.CharField(blank=True, help_text='of the last run; empty when it went well', max_length=300)),
                ('is_held', models.BooleanField(db_default=False, default=False, editable=False, help_text='does not run, as after a restore')),
            ],
            options={
                'verbose_name': 'task',
                'verbose_name_plural': 'tasks',
                'ordering': ('name',),
            },
        ),
        migrations.RunPython(by_hand),
    ]
