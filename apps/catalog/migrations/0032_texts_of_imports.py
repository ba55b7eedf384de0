from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('catalog', '0031_no_search_words'),
    ]

    operations = [
        migrations.AlterField(
            model_name='import',
            name='remark',
            field=models.TextField(blank=True, help_text='why it was refused, or has to be looked at again'),
        ),
        migrations.AlterField(
            model_name='import',
            name='state',
            field=models.CharField(choices=[('reading', 'Reading'), ('review', 'To review'), ('applying', 'Applying'), ('applied', 'Applied'), ('undoing', 'Undoing'), ('undone', 'Undone'), ('refused', 'Refused'), ('discarded', 'Discarded')], db_index=True, default='reading', max_length=10),
        ),
        migrations.AlterField(
            model_name='importrow',
            name='remark',
            field=models.TextField(blank=True),
        ),
        migrations.AlterField(
            model_name='stockchange',
            name='reason',
            field=models.CharField(help_text='typed, or a text that is kept', max_length=500),
        ),
    ]
