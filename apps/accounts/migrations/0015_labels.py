import apps.common.names
import django.db.models.deletion
import django.db.models.functions.text
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('accounts', '0014_language_of_staff'),
    ]

    operations = [
        migrations.AlterModelOptions(
            name='addressentry',
            options={'ordering': ('content',), 'verbose_name': 'address entry', 'verbose_name_plural': 'address entries'},
        ),
        migrations.AlterModelOptions(
            name='company',
            options={'ordering': (django.db.models.functions.text.Lower(django.db.models.functions.text.Trim(django.db.models.functions.text.Replace(django.db.models.functions.text.Replace(django.db.models.functions.text.Replace(django.db.models.functions.text.Replace(models.F('name'), models.Value('㈜'), models.Value('')), models.Value('(주)'), models.Value('')), models.Value('（주）'), models.Value('')), models.Value('주식회사'), models.Value('')))),), 'permissions': [('set_deposit_share', "Can set a company's deposit share")], 'verbose_name': 'company', 'verbose_name_plural': 'companies'},
        ),
        migrations.AlterModelOptions(
            name='user',
            options={'ordering': ('email',), 'verbose_name': 'user', 'verbose_name_plural': 'users'},
        ),
        migrations.AlterField(
            model_name='company',
            name='address1',
            field=models.CharField(blank=True, max_length=120, verbose_name='address1'),
        ),
        migrations.AlterField(
            model_name='company',
            name='address2',
            field=models.CharField(blank=True, max_length=120, verbose_name='address2'),
        ),
        migrations.AlterField(
            model_name='company',
            name='brands_restricted',
            field=models.BooleanField(default=False, help_text='Sees only the brands it was given.', verbose_name='brands restricted'),
        ),
        migrations.AlterField(
            model_name='company',
            name='business_type',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, to='accounts.businesstype', verbose_name='business type'),
        ),
        migrations.AlterField(
            model_name='company',
            name='city',
            field=models.CharField(blank=True, max_length=80, verbose_name='city'),
        ),
        migrations.AlterField(
            model_name='company',
            name='country',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='accounts.addressentry', verbose_name='country'),
        ),
        migrations.AlterField(
            model_name='company',
            name='created_at',
            field=models.DateTimeField(auto_now_add=True, verbose_name='created at'),
        ),
        migrations.AlterField(
            model_name='company',
            name='is_open',
            field=models.BooleanField(default=True, help_text="A closed company's users cannot sign in.", verbose_name='is open'),
        ),
        migrations.AlterField(
            model_name='company',
            name='name',
            field=apps.common.names.NameField(max_length=120, verbose_name='name'),
        ),
        migrations.AlterField(
            model_name='company',
            name='phone',
            field=models.CharField(blank=True, max_length=40, verbose_name='phone'),
        ),
        migrations.AlterField(
            model_name='company',
            name='sales_channel',
            field=models.CharField(blank=True, max_length=200, verbose_name='sales channel'),
        ),
        migrations.AlterField(
            model_name='company',
            name='state',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='accounts.addressentry', verbose_name='state'),
        ),
        migrations.AlterField(
            model_name='company',
            name='zipcode',
            field=models.CharField(blank=True, max_length=20, verbose_name='zipcode'),
        ),
        migrations.AlterField(
            model_name='user',
            name='approval',
            field=models.CharField(choices=[('pending', 'To decide'), ('approved', 'Approved'), ('rejected', 'Rejected')], default='pending', max_length=10, verbose_name='approval'),
        ),
        migrations.AlterField(
            model_name='user',
            name='approval_reason',
            field=models.TextField(blank=True, verbose_name='approval reason'),
        ),
        migrations.AlterField(
            model_name='user',
            name='company',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='users', to='accounts.company', verbose_name='company'),
        ),
        migrations.AlterField(
            model_name='user',
            name='created_at',
            field=models.DateTimeField(auto_now_add=True, verbose_name='created at'),
        ),
        migrations.AlterField(
            model_name='user',
            name='decided_at',
            field=models.DateTimeField(blank=True, null=True, verbose_name='decided at'),
        ),
        migrations.AlterField(
            model_name='user',
            name='decided_by',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='decided by'),
        ),
        migrations.AlterField(
            model_name='user',
            name='is_staff',
            field=models.BooleanField(default=False, verbose_name='is staff'),
        ),
        migrations.AlterField(
            model_name='user',
            name='stock_free',
            field=models.BooleanField(default=False, help_text='May order products that are out of stock.', verbose_name='stock free'),
        ),
    ]
