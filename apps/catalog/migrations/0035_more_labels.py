import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('accounts', '0016_more_labels'),
        ('catalog', '0034_labels'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AlterModelOptions(
            name='promotionitem',
            options={'verbose_name': 'promotion item', 'verbose_name_plural': 'promotion items'},
        ),
        migrations.AlterField(
            model_name='brandaccess',
            name='brand',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='company_access', to='catalog.brand', verbose_name='brand'),
        ),
        migrations.AlterField(
            model_name='brandaccess',
            name='company',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='brand_access', to='accounts.company', verbose_name='company'),
        ),
        migrations.AlterField(
            model_name='stockchange',
            name='actor',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='actor'),
        ),
        migrations.AlterField(
            model_name='stockchange',
            name='change',
            field=models.IntegerField(help_text='pieces added to or taken off the shelf', verbose_name='change'),
        ),
        migrations.AlterField(
            model_name='stockchange',
            name='invoice_code',
            field=models.CharField(blank=True, max_length=40, verbose_name='invoice code'),
        ),
        migrations.AlterField(
            model_name='stockchange',
            name='on_hand',
            field=models.PositiveIntegerField(help_text='pieces on the shelf afterwards', verbose_name='on hand'),
        ),
        migrations.AlterField(
            model_name='stockchange',
            name='product',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='stock_changes', to='catalog.product', verbose_name='product'),
        ),
        migrations.AlterField(
            model_name='stockchange',
            name='reason',
            field=models.CharField(help_text='typed, or a text that is kept', max_length=500, verbose_name='reason'),
        ),
    ]
