"""Refunds of wires; like the ledger's rows they refuse update and delete in the database too."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from apps.common.db.migration import run_sql

TABLE = "payments_wirerefund"


class Migration(migrations.Migration):

    dependencies = [
        ('payments', '0016_figures_by_day'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AlterField(
            model_name='walletentry',
            name='kind',
            field=models.CharField(choices=[('cancellation', 'Cancellation'), ('overpayment', 'Received beyond the order'), ('use', 'Used for a balance'), ('refund', 'Refund of a wire'), ('correction', 'Correction')], max_length=12),
        ),
        migrations.CreateModel(
            name='WireRefund',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('amount', models.DecimalField(decimal_places=2, max_digits=12)),
                ('reason', models.CharField(max_length=200)),
                ('at', models.DateTimeField()),
                ('actor', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('entry', models.OneToOneField(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='wire_refund', to='payments.walletentry')),
                ('payment', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='wire_refunds', to='payments.payment')),
            ],
            options={
                'ordering': ('at', 'id'),
                'constraints': [models.CheckConstraint(condition=models.Q(('amount__gt', 0)), name='wirerefund_amount')],
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
