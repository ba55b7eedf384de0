from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('notices', '0002_staff_pages'),
    ]

    operations = [
        migrations.AlterModelOptions(
            name='notice',
            options={'ordering': ('-published_at', '-id'), 'verbose_name': 'notice', 'verbose_name_plural': 'notices'},
        ),
        migrations.AlterField(
            model_name='notice',
            name='title',
            field=models.CharField(max_length=200, verbose_name='title'),
        ),
    ]
