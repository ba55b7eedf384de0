"""The counter-entries of moved wires; like the ledger's rows they refuse update and delete in the database too."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from apps.common.db.migration import run_sql

TABLE = "payments_wiremove"


class Migration(migrations.Migration):

    dependencies = [
        ('payments', '0010_payment_refusals'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='WireMove',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('amount', models.DecimalField(decimal_places=2, max_digits=12)),
                ('reason', models.CharField(max_length=200)),
                ('at', models.DateTimeField()),
                ('actor', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('source', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='moves_away', to='payments.payment')),
                ('target', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='moved_in', to='payments.payment')),
            ],
            options={
                'ordering': ('at', 'id'),
                'constraints': [models.CheckConstraint(condition=models.Q(('amount__gt', 0)), name='wiremove_amount'), models.CheckConstraint(condition=models.Q(('source', models.F('target')), _negated=True), name='wiremove_other')],
            },
        ),
        run_sql(
            postgresql=[
                f"CREATE TRIGGER {TABLE}_fixed BEFORE UPDATE OR DELETE ON {TABLE} "
                "FOR EACH ROW EXECUTE FUNCTION payments_refuse_change()"
            ],
            sqlite=[
                f"CREATE TRIGGER {TABLE}_{verb} BEFORE {verb} ON {TABLE} "
                f"BEGIN SELECT RAISE(ABORT, '{TABLE} rows are never changed'); END"
                for verb in ("update", "delete")
            ],
            undo_postgresql=[f"DROP TRIGGER {TABLE}_fixed ON {TABLE}"],
            undo_sqlite=[f"DROP TRIGGER {TABLE}_{verb}" for verb in ("update", "delete")],
        ),
    ]
