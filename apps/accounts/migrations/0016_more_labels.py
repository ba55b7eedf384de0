import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('accounts', '0015_labels'),
    ]

    operations = [
        migrations.AlterField(
            model_name='addressentry',
            name='code',
            field=models.CharField(max_length=10, unique=True, verbose_name='code'),
        ),
        migrations.AlterField(
            model_name='addressentry',
            name='content',
            field=models.CharField(max_length=120, verbose_name='content'),
        ),
        migrations.AlterField(
            model_name='addressentry',
            name='parent',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='states', to='accounts.addressentry', verbose_name='parent'),
        ),
    ]
