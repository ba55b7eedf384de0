import django.db.models.deletion
from django.db import migrations, models

from apps.common.db.migration import run_sql

TABLES = ("accounts_pricegroup", "catalog_pricegroupitem", "catalog_productprice", "catalog_brandclosure")


class Migration(migrations.Migration):

    dependencies = [
        ('accounts', '0023_price_groups'),
        ('catalog', '0038_moq_of_settings'),
    ]

    operations = [
        migrations.CreateModel(
            name='BrandClosure',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('brand', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='closures', to='catalog.brand')),
                ('country', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='accounts.addressentry', verbose_name='country')),
            ],
            options={
                'verbose_name': 'closed country',
                'verbose_name_plural': 'closed countries',
                'constraints': [models.UniqueConstraint(fields=('country', 'brand'), name='brandclosure_once')],
            },
        ),
        migrations.CreateModel(
            name='PriceGroupItem',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('price', models.DecimalField(decimal_places=2, max_digits=12, verbose_name='group price $')),
                ('starts_at', models.DateTimeField(blank=True, null=True, verbose_name='holds from')),
                ('ends_at', models.DateTimeField(blank=True, null=True, verbose_name='ends at')),
                ('group', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='items', to='accounts.pricegroup')),
                ('product', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='group_prices', to='catalog.product', verbose_name='product')),
            ],
            options={
                'verbose_name': 'group price',
                'verbose_name_plural': 'group prices',
                'indexes': [models.Index(fields=['group', 'starts_at'], name='pricegroupitem_begun'), models.Index(fields=['group', 'ends_at'], name='pricegroupitem_ended')],
                'constraints': [models.UniqueConstraint(fields=('group', 'product', 'starts_at'), name='pricegroupitem_once'), models.UniqueConstraint(condition=models.Q(('starts_at__isnull', True)), fields=('group', 'product'), name='pricegroupitem_always_once'), models.CheckConstraint(condition=models.Q(('starts_at__isnull', True), ('ends_at__isnull', True), ('ends_at__gt', models.F('starts_at')), _connector='OR'), name='pricegroupitem_ends'), models.CheckConstraint(condition=models.Q(('price__gte', 0)), name='pricegroupitem_price')],
            },
        ),
        migrations.CreateModel(
            name='ProductPrice',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('price', models.DecimalField(decimal_places=2, max_digits=12, verbose_name='wholesale $')),
                ('former', models.DecimalField(blank=True, decimal_places=2, help_text='what it was before, once it is written', max_digits=12, null=True)),
                ('starts_at', models.DateTimeField(verbose_name='holds from')),
                ('is_written', models.BooleanField(default=False, help_text='into the product, or over')),
                ('product', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='prices', to='catalog.product')),
            ],
            options={
                'verbose_name': 'wholesale price',
                'verbose_name_plural': 'wholesale prices',
                'ordering': ('-starts_at',),
                'indexes': [models.Index(condition=models.Q(('is_written', False)), fields=['starts_at'], name='productprice_coming')],
                'constraints': [models.UniqueConstraint(fields=('product', 'starts_at'), name='productprice_once'), models.CheckConstraint(condition=models.Q(('price__gte', 0)), name='productprice_price')],
            },
        ),
        run_sql(
            postgresql=[
                f"CREATE TRIGGER {table}_changed AFTER INSERT OR UPDATE OR DELETE ON {table} "
                "FOR EACH STATEMENT EXECUTE FUNCTION catalog_note_change()"
                for table in TABLES
            ],
            sqlite=[],
            undo_postgresql=[f"DROP TRIGGER {table}_changed ON {table}" for table in TABLES],
            undo_sqlite=[],
        ),
    ]
