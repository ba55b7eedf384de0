"""An empty database gets all tables of the app at once. One of 1.0.0 or later runs the migrations
that this replaces: whoever deletes those moves here what `by_hand` takes from them.
"""

from importlib import import_module

import apps.catalog.models.imports
import apps.catalog.models.products
import apps.common.names
import django.db.models.deletion
import django.db.models.expressions
import django.db.models.functions.text
import django.db.models.lookups
from django.conf import settings
from django.db import migrations, models

IN_BYTE_ORDER = (
    "ALTER TABLE catalog_stock SET (fillfactor = 70)",
    'ALTER TABLE catalog_product ALTER COLUMN sort_key TYPE varchar(340) COLLATE "C"',
    'ALTER TABLE catalog_brand ALTER COLUMN list_key TYPE varchar(81) COLLATE "C"',
    "ALTER TABLE catalog_brand DROP CONSTRAINT catalog_brand_list_key_key",
    "CREATE UNIQUE INDEX catalog_brand_list_key ON catalog_brand (list_key)",
)
BY_HAND = (
    "0012_search_trigrams",
    "0014_catalog_changes",
    "0024_lookups_by_hash",
    "0027_search_by_brand",
    "0028_search_form",
    "0039_price_groups",
)


def by_hand(apps, schema_editor):
    """Run what the replaced migrations do beside making tables."""
    if schema_editor.connection.vendor == "postgresql":
        for statement in IN_BYTE_ORDER:
            schema_editor.execute(statement)
    for name in BY_HAND:
        for operation in import_module(f"apps.catalog.migrations.{name}").Migration.operations:
            if isinstance(operation, migrations.RunPython):
                operation.code(apps, schema_editor)


class Migration(migrations.Migration):

    replaces = [('catalog', '0001_initial'), ('catalog', '0002_brand_counts_and_keys'), ('catalog', '0003_firm_holds'), ('catalog', '0004_imports'), ('catalog', '0005_brand_list_key'), ('catalog', '0006_brand_counts_by_statement'), ('catalog', '0007_brand_counts_by_services'), ('catalog', '0008_import_guards'), ('catalog', '0009_hidden_products'), ('catalog', '0010_imports_in_parts'), ('catalog', '0011_search_words'), ('catalog', '0012_search_trigrams'), ('catalog', '0013_short_stock'), ('catalog', '0014_catalog_changes'), ('catalog', '0015_own_codes'), ('catalog', '0016_ean'), ('catalog', '0017_ean_in_use'), ('catalog', '0018_pasted_messages'), ('catalog', '0019_list_layouts'), ('catalog', '0020_message_used_key'), ('catalog', '0021_arrivals'), ('catalog', '0022_lists_in_hand'), ('catalog', '0023_list_used_once'), ('catalog', '0024_lookups_by_hash'), ('catalog', '0025_carton_pieces'), ('catalog', '0026_product_minimum'), ('catalog', '0027_search_by_brand'), ('catalog', '0028_search_form'), ('catalog', '0029_lists_move_to_orders'), ('catalog', '0030_guards_of_prices'), ('catalog', '0031_no_search_words'), ('catalog', '0032_texts_of_imports'), ('catalog', '0033_composed_names'), ('catalog', '0034_labels'), ('catalog', '0035_more_labels'), ('catalog', '0036_kinds_of_imports'), ('catalog', '0037_more_images'), ('catalog', '0038_moq_of_settings'), ('catalog', '0039_price_groups'), ('catalog', '0040_answers_of_imports'), ('catalog', '0041_name_of_a_price_group'), ('catalog', '0042_names_of_models'), ('catalog', '0043_indexes_of_prices')]

    initial = True

    dependencies = [
        ('accounts', 'all_squashed_0026_names_of_models'),
    ]

    operations = [
        migrations.CreateModel(
            name='Brand',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('eng', apps.common.names.NameField(max_length=80, unique=True, verbose_name='name')),
                ('list_key', apps.catalog.models.products.ListKeyField(editable=False, max_length=81, unique=True)),
                ('search_text', apps.catalog.models.products.SearchTextField(editable=False, max_length=80)),
                ('product_count', models.PositiveIntegerField(default=0, editable=False)),
            ],
            options={
                'verbose_name': 'brand',
                'verbose_name_plural': 'brands',
                'ordering': ('list_key',),
            },
        ),
        migrations.CreateModel(
            name='Product',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('sku', models.CharField(max_length=40, unique=True, verbose_name='SKU')),
                ('eng_name', apps.common.names.NameField(max_length=200, verbose_name='name')),
                ('brand', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='products', to='catalog.brand', verbose_name='brand')),
                ('image', models.CharField(blank=True, max_length=120, verbose_name='image')),
                ('more_images', models.TextField(blank=True, db_default='', default='', editable=False, help_text='names behind `image`')),
                ('is_running', models.PositiveSmallIntegerField(choices=[(0, 'Discontinued'), (1, 'On sale'), (2, 'Contact us'), (3, 'Hidden')], default=1, verbose_name='sale')),
                ('is_special', models.BooleanField(default=False, help_text='MOQ of the settings, any quantity from there.', verbose_name='special MOQ')),
                ('usd_price', models.DecimalField(decimal_places=2, max_digits=12, verbose_name='USRP $')),
                ('usd_supply', models.DecimalField(decimal_places=2, max_digits=12, verbose_name='wholesale $')),
                ('minimum', models.PositiveIntegerField(default=10, help_text='in pieces', verbose_name='minimum')),
                ('weight_g', models.PositiveIntegerField(help_text='grams of one piece', verbose_name='weight, g')),
                ('hs_code', models.CharField(blank=True, max_length=12, verbose_name='HS code')),
                ('origin', models.CharField(default='KR', help_text='country of origin, ISO 3166-1', max_length=2, verbose_name='origin')),
                ('ean', models.CharField(blank=True, help_text='8 or 13 digits with their check digit; several products may share one', max_length=13, null=True, verbose_name='EAN')),
                ('sort_key', models.CharField(editable=False, max_length=340, unique=True)),
                ('search_text', models.CharField(editable=False, max_length=340)),
                ('updated_at', models.DateTimeField(auto_now=True)),
            ],
            options={
                'verbose_name': 'product',
                'verbose_name_plural': 'products',
                'ordering': ('sort_key',),
                'indexes': [models.Index(fields=['brand', 'sort_key'], name='product_brand_key'), models.Index(condition=models.Q(('ean__isnull', False)), fields=['ean'], name='product_by_ean'), models.Index(fields=['minimum'], name='product_by_minimum'), models.Index(fields=['usd_supply', 'id'], name='product_by_price')],
                'constraints': [models.CheckConstraint(condition=models.Q(('usd_price__gte', 0), ('usd_supply__gte', 0)), name='product_prices'), models.CheckConstraint(condition=models.Q(('minimum__gte', 1)), name='product_minimum'), models.CheckConstraint(condition=models.Q(django.db.models.lookups.Exact(models.Func(models.F('ean'), models.Value('0123456789'), function='LTRIM', output_field=models.CharField()), models.Value('')), django.db.models.lookups.In(django.db.models.functions.text.Length('ean'), [8, 13])), name='product_ean'), models.CheckConstraint(condition=models.Q(models.Q(('image', ''), _negated=True), ('more_images', ''), _connector='OR'), name='product_first_picture')],
            },
        ),
        migrations.CreateModel(
            name='Arrival',
            fields=[
                ('product', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='arrival', serialize=False, to='catalog.product')),
                ('pieces', models.PositiveIntegerField()),
                ('expected_on', models.DateField()),
            ],
            options={
                'verbose_name': 'arrival',
                'verbose_name_plural': 'arrivals',
                'constraints': [models.CheckConstraint(condition=models.Q(('pieces__gt', 0)), name='arrival_some')],
            },
        ),
        migrations.CreateModel(
            name='BrandAccess',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('company', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='brand_access', to='accounts.company', verbose_name='company')),
                ('brand', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='company_access', to='catalog.brand', verbose_name='brand')),
            ],
            options={
                'verbose_name': 'brand access',
                'verbose_name_plural': 'brand access',
                'constraints': [models.UniqueConstraint(fields=('company', 'brand'), name='brandaccess_once')],
            },
        ),
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
            name='CatalogChange',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('mark', models.BigIntegerField()),
            ],
            options={
                'verbose_name': 'catalog change',
                'verbose_name_plural': 'catalog changes',
            },
        ),
        migrations.CreateModel(
            name='Import',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=200, verbose_name='file')),
                ('kind', models.CharField(choices=apps.catalog.models.imports.kind_choices, max_length=10, verbose_name='kind')),
                ('storage_name', models.CharField(max_length=40)),
                ('state', models.CharField(choices=[('reading', 'Reading'), ('review', 'To review'), ('applying', 'Applying'), ('applied', 'Applied'), ('undoing', 'Undoing'), ('undone', 'Undone'), ('refused', 'Refused'), ('discarded', 'Discarded')], db_index=True, default='reading', max_length=10, verbose_name='state')),
                ('remark', models.TextField(blank=True, help_text='why it was refused, or has to be looked at again')),
                ('unread', models.CharField(blank=True, help_text='headings of columns that are not read', max_length=200)),
                ('sheets', models.JSONField(help_text='their names, where all of them are read', null=True)),
                ('rows_read', models.PositiveIntegerField(default=0)),
                ('rows_written', models.PositiveIntegerField(default=0, help_text='applied, or put back, so far')),
                ('rows_expected', models.PositiveIntegerField(default=0, help_text='an estimate, for the bar')),
                ('counts', models.JSONField(default=dict)),
                ('answers', models.JSONField(help_text='to what was asked of it, by question', null=True)),
                ('tries', models.PositiveSmallIntegerField(default=0)),
                ('created_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('created_at', models.DateTimeField()),
                ('read_at', models.DateTimeField(blank=True, null=True)),
                ('applied_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('applied_at', models.DateTimeField(blank=True, null=True)),
                ('undone_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('undone_at', models.DateTimeField(blank=True, null=True)),
            ],
            options={
                'verbose_name': 'import',
                'verbose_name_plural': 'imports',
                'ordering': ('-id',),
            },
        ),
        migrations.CreateModel(
            name='ImportRow',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('source', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='rows', to='catalog.import', verbose_name='import')),
                ('number', models.PositiveIntegerField(help_text='in the file')),
                ('sku', models.CharField(blank=True, help_text='or what else a row of its kind is named by', max_length=60, verbose_name='SKU')),
                ('product', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='catalog.product')),
                ('result', models.CharField(choices=[('same', 'Same'), ('changed', 'Changed'), ('new', 'New product'), ('unknown', 'Unknown SKU'), ('twice', 'Twice'), ('faulty', 'Cannot be read'), ('left', 'Left out')], max_length=10)),
                ('old', models.JSONField(default=dict)),
                ('new', models.JSONField(default=dict)),
                ('remark', models.TextField(blank=True)),
                ('guards', models.CharField(blank=True, db_default='', default='', help_text=',one,two,', max_length=200)),
                ('made', models.JSONField(help_text='what it is about or made: ids by model', null=True)),
                ('has_price', models.BooleanField(default=False)),
                ('has_stock', models.BooleanField(default=False)),
                ('price_drop', models.PositiveSmallIntegerField(default=0, help_text='percent, where it is more than 30')),
                ('price_rise', models.PositiveIntegerField(default=0, help_text='percent, where it is more than 100')),
                ('short', models.PositiveIntegerField(default=0, help_text='pieces that are promised beyond the new count')),
                ('stock_fall', models.PositiveIntegerField(default=0, help_text='pieces, where less than a tenth is left')),
                ('is_free', models.BooleanField(db_default=False, default=False, help_text='a price of 0.00')),
                ('is_above_usrp', models.BooleanField(db_default=False, default=False, help_text='the wholesale price')),
                ('is_below_promotion', models.BooleanField(db_default=False, default=False, help_text='the wholesale price, below what an open promotion asks')),
                ('is_twice', models.BooleanField(default=False, help_text='the last of the rows with its SKU')),
                ('is_touched', models.BooleanField(default=False, help_text='changed by somebody else since')),
                ('is_done', models.BooleanField(default=False, help_text='written, and not put back')),
            ],
            options={
                'verbose_name': 'import row',
                'verbose_name_plural': 'import rows',
                'ordering': ('number',),
                'indexes': [models.Index(fields=['source', 'sku', 'number'], name='importrow_sku'), models.Index(fields=['source', 'result', 'number'], name='importrow_result'), models.Index(fields=['source', 'product'], name='importrow_product')],
                'constraints': [models.UniqueConstraint(fields=('source', 'number'), name='importrow_once')],
            },
        ),
        migrations.CreateModel(
            name='PriceGroupItem',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('group', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='items', to='accounts.pricegroup', verbose_name='price group')),
                ('product', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='group_prices', to='catalog.product', verbose_name='product')),
                ('price', models.DecimalField(decimal_places=2, max_digits=12, verbose_name='group price $')),
                ('starts_at', models.DateTimeField(blank=True, null=True, verbose_name='holds from')),
                ('ends_at', models.DateTimeField(blank=True, null=True, verbose_name='ends at')),
            ],
            options={
                'verbose_name': 'group price',
                'verbose_name_plural': 'group prices',
                'indexes': [models.Index(fields=['group', 'product'], include=('starts_at', 'ends_at', 'price'), name='pricegroupitem_product'), models.Index(fields=['group', 'price'], name='pricegroupitem_price_key'), models.Index(fields=['group', 'starts_at'], name='pricegroupitem_begun'), models.Index(fields=['group', 'ends_at'], name='pricegroupitem_ended')],
                'constraints': [models.UniqueConstraint(fields=('group', 'product', 'starts_at'), name='pricegroupitem_once'), models.UniqueConstraint(condition=models.Q(('starts_at__isnull', True)), fields=('group', 'product'), name='pricegroupitem_always_once'), models.CheckConstraint(condition=models.Q(('starts_at__isnull', True), ('ends_at__isnull', True), ('ends_at__gt', models.F('starts_at')), _connector='OR'), name='pricegroupitem_ends'), models.CheckConstraint(condition=models.Q(('price__gte', 0)), name='pricegroupitem_price')],
            },
        ),
        migrations.CreateModel(
            name='ProductPrice',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('product', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='prices', to='catalog.product')),
                ('price', models.DecimalField(decimal_places=2, max_digits=12, verbose_name='wholesale $')),
                ('former', models.DecimalField(blank=True, decimal_places=2, help_text='what it was before, once it is written', max_digits=12, null=True)),
                ('starts_at', models.DateTimeField(verbose_name='holds from')),
                ('is_written', models.BooleanField(default=False, help_text='into the product, or over')),
            ],
            options={
                'verbose_name': 'wholesale price',
                'verbose_name_plural': 'wholesale prices',
                'ordering': ('-starts_at',),
                'indexes': [models.Index(condition=models.Q(('is_written', False)), fields=['starts_at'], name='productprice_coming')],
                'constraints': [models.UniqueConstraint(fields=('product', 'starts_at'), name='productprice_once'), models.CheckConstraint(condition=models.Q(('price__gte', 0)), name='productprice_price')],
            },
        ),
        migrations.CreateModel(
            name='Promotion',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=120, verbose_name='name')),
                ('starts_at', models.DateTimeField(verbose_name='starts at')),
                ('ends_at', models.DateTimeField(verbose_name='ends at')),
            ],
            options={
                'verbose_name': 'promotion',
                'verbose_name_plural': 'promotions',
                'ordering': ('-starts_at',),
                'constraints': [models.CheckConstraint(condition=models.Q(('ends_at__gt', models.F('starts_at'))), name='promotion_ends')],
            },
        ),
        migrations.CreateModel(
            name='PromotionItem',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('promotion', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='items', to='catalog.promotion')),
                ('product', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='promotion_items', to='catalog.product')),
                ('price', models.DecimalField(blank=True, decimal_places=2, max_digits=12, null=True, verbose_name='promotional wholesale $')),
            ],
            options={
                'verbose_name': 'promotion item',
                'verbose_name_plural': 'promotion items',
                'indexes': [models.Index(fields=['product'], include=('promotion', 'price'), name='promotionitem_product')],
                'constraints': [models.UniqueConstraint(fields=('promotion', 'product'), name='promotionitem_once'), models.CheckConstraint(condition=models.Q(('price__isnull', True), ('price__gte', 0), _connector='OR'), name='promotionitem_price')],
            },
        ),
        migrations.CreateModel(
            name='Stock',
            fields=[
                ('product', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='stock', serialize=False, to='catalog.product')),
                ('on_hand', models.PositiveIntegerField(default=0)),
                ('allocated', models.PositiveIntegerField(default=0, help_text='promised to orders not yet shipped, and held')),
                ('short', models.PositiveIntegerField(default=0, help_text='promised beyond the shelf on purpose')),
            ],
            options={
                'verbose_name': 'stock',
                'verbose_name_plural': 'stock',
                'indexes': [models.Index(condition=models.Q(('short__gt', 0)), fields=['product'], name='stock_short')],
                'constraints': [models.CheckConstraint(condition=models.Q(('allocated__gte', 0), ('on_hand__gte', 0), ('short__gte', 0)), name='stock_not_negative'), models.CheckConstraint(condition=models.Q(('allocated__lte', django.db.models.expressions.CombinedExpression(models.F('on_hand'), '+', models.F('short')))), name='stock_not_oversold')],
            },
        ),
        migrations.CreateModel(
            name='StockChange',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('product', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='stock_changes', to='catalog.product', verbose_name='product')),
                ('change', models.IntegerField(help_text='pieces added to or taken off the shelf', verbose_name='change')),
                ('on_hand', models.PositiveIntegerField(help_text='pieces on the shelf afterwards', verbose_name='on hand')),
                ('reason', models.CharField(help_text='typed, or a text that is kept', max_length=500, verbose_name='reason')),
                ('invoice_code', models.CharField(blank=True, max_length=40, verbose_name='invoice code')),
                ('actor', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='actor')),
                ('at', models.DateTimeField(verbose_name='at')),
            ],
            options={
                'verbose_name': 'stock change',
                'verbose_name_plural': 'stock changes',
                'ordering': ('-at', '-id'),
            },
        ),
        migrations.CreateModel(
            name='StockHold',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('invoice_code', models.CharField(max_length=40)),
                ('product', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='holds', to='catalog.product')),
                ('quantity', models.PositiveIntegerField()),
                ('expires_at', models.DateTimeField(blank=True, db_index=True, help_text='empty: until it is settled', null=True)),
            ],
            options={
                'verbose_name': 'stock hold',
                'verbose_name_plural': 'stock holds',
                'constraints': [models.UniqueConstraint(fields=('invoice_code', 'product'), name='stockhold_once'), models.CheckConstraint(condition=models.Q(('quantity__gt', 0)), name='stockhold_quantity')],
            },
        ),
        migrations.RunPython(by_hand),
    ]
