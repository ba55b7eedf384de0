"""The confirmation sheet kept on the server, and the table of shipping rates, which Sales keep."""

import django.core.validators
import django.db.models.deletion
from decimal import Decimal
from django.conf import settings
from django.db import migrations, models


def allow_sales(apps, schema_editor):
    content_type, permission = apps.get_model("contenttypes", "ContentType"), apps.get_model("auth", "Permission")
    group, _ = apps.get_model("auth", "Group").objects.get_or_create(name="Sales")
    kind, _ = content_type.objects.get_or_create(app_label="orders", model="shippingrate")
    for action in ("view", "add", "change", "delete"):
        made, _ = permission.objects.get_or_create(
            content_type=kind, codename=f"{action}_shippingrate", defaults={"name": f"Can {action} shipping rate"}
        )
        group.permissions.add(made)


class Migration(migrations.Migration):

    dependencies = [
        ('accounts', '0012_no_mentions'),
        ('orders', '0040_sales_in_one_grain'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='ConfirmationDraft',
            fields=[
                ('order', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, primary_key=True, related_name='confirmation_draft', serialize=False, to='orders.order')),
                ('revision', models.PositiveIntegerField(help_text='rises with every save')),
                ('sheet', models.JSONField()),
                ('saved_at', models.DateTimeField()),
            ],
        ),
        migrations.CreateModel(
            name='ShippingRate',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('per_kg', models.DecimalField(decimal_places=2, max_digits=12, validators=[django.core.validators.MinValueValidator(Decimal('0.01'))], verbose_name='USD per kg')),
                ('at_least', models.DecimalField(decimal_places=2, default=Decimal('0.00'), max_digits=12, validators=[django.core.validators.MinValueValidator(Decimal('0.00'))], verbose_name='at least USD')),
            ],
            options={
                'ordering': ('country__content',),
            },
        ),
        migrations.RemoveConstraint(
            model_name='issueddocument',
            name='orderpaper_revision',
        ),
        migrations.AddField(
            model_name='confirmationdraft',
            name='saved_by',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='shippingrate',
            name='country',
            field=models.OneToOneField(blank=True, help_text='Empty: every country without a rate of its own.', limit_choices_to={'parent': None}, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='accounts.addressentry'),
        ),
        migrations.AddConstraint(
            model_name='shippingrate',
            constraint=models.UniqueConstraint(models.Value(1), condition=models.Q(('country', None)), name='shippingrate_other_countries'),
        ),
        migrations.AddConstraint(
            model_name='shippingrate',
            constraint=models.CheckConstraint(condition=models.Q(('at_least__gte', 0), ('per_kg__gt', 0)), name='shippingrate_money'),
        ),
        migrations.RunPython(allow_sales, migrations.RunPython.noop),
    ]
