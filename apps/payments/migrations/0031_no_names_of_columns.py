"""What staff have looked at is not kept: which heading a column had, who named a layout."""

from django.db import migrations


class Migration(migrations.Migration):

    dependencies = [
        ('payments', '0030_no_index_of_beginnings'),
    ]

    operations = [
        migrations.AlterModelOptions(
            name='statementlayout',
            options={'verbose_name': 'statement layout', 'verbose_name_plural': 'statement layouts'},
        ),
        migrations.RemoveField(
            model_name='bankstatement',
            name='read',
        ),
        migrations.RemoveField(
            model_name='bankstatement',
            name='unread',
        ),
        migrations.RemoveField(
            model_name='statementlayout',
            name='headings',
        ),
        migrations.RemoveField(
            model_name='statementlayout',
            name='kept_at',
        ),
        migrations.RemoveField(
            model_name='statementlayout',
            name='kept_by',
        ),
        migrations.RemoveField(
            model_name='statementlayout',
            name='name',
        ),
    ]
