import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('catalog', '0033_composed_names'),
    ]

    operations = [
        migrations.AlterModelOptions(
            name='brand',
            options={'ordering': ('list_key',), 'verbose_name': 'brand', 'verbose_name_plural': 'brands'},
        ),
        migrations.AlterModelOptions(
            name='brandaccess',
            options={'verbose_name': 'brand access', 'verbose_name_plural': 'brand access'},
        ),
        migrations.AlterModelOptions(
            name='import',
            options={'ordering': ('-id',), 'verbose_name': 'import', 'verbose_name_plural': 'imports'},
        ),
        migrations.AlterModelOptions(
            name='product',
            options={'ordering': ('sort_key',), 'verbose_name': 'product', 'verbose_name_plural': 'products'},
        ),
        migrations.AlterModelOptions(
            name='promotion',
            options={'ordering': ('-starts_at',), 'verbose_name': 'promotion', 'verbose_name_plural': 'promotions'},
        ),
        migrations.AlterModelOptions(
            name='stock',
            options={'verbose_name': 'stock', 'verbose_name_plural': 'stock'},
        ),
        migrations.AlterModelOptions(
            name='stockchange',
            options={'ordering': ('-at', '-id'), 'verbose_name': 'stock change', 'verbose_name_plural': 'stock changes'},
        ),
        migrations.AlterField(
            model_name='import',
            name='kind',
            field=models.CharField(choices=[('table', 'Products, prices and stock'), ('pictures', 'Pictures')], default='table', max_length=10, verbose_name='kind'),
        ),
        migrations.AlterField(
            model_name='import',
            name='state',
            field=models.CharField(choices=[('reading', 'Reading'), ('review', 'To review'), ('applying', 'Applying'), ('applied', 'Applied'), ('undoing', 'Undoing'), ('undone', 'Undone'), ('refused', 'Refused'), ('discarded', 'Discarded')], db_index=True, default='reading', max_length=10, verbose_name='state'),
        ),
        migrations.AlterField(
            model_name='product',
            name='brand',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='products', to='catalog.brand', verbose_name='brand'),
        ),
        migrations.AlterField(
            model_name='product',
            name='image',
            field=models.CharField(blank=True, max_length=120, verbose_name='image'),
        ),
        migrations.AlterField(
            model_name='product',
            name='minimum',
            field=models.PositiveIntegerField(default=10, help_text='pieces; the effective MOQ is at least 10', verbose_name='minimum'),
        ),
        migrations.AlterField(
            model_name='product',
            name='origin',
            field=models.CharField(default='KR', help_text='country of origin, ISO 3166-1', max_length=2, verbose_name='origin'),
        ),
        migrations.AlterField(
            model_name='promotion',
            name='ends_at',
            field=models.DateTimeField(verbose_name='ends at'),
        ),
        migrations.AlterField(
            model_name='promotion',
            name='name',
            field=models.CharField(max_length=120, verbose_name='name'),
        ),
        migrations.AlterField(
            model_name='promotion',
            name='starts_at',
            field=models.DateTimeField(verbose_name='starts at'),
        ),
        migrations.AlterField(
            model_name='stockchange',
            name='at',
            field=models.DateTimeField(verbose_name='at'),
        ),
    ]
