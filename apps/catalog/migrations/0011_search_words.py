from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('catalog', '0010_imports_in_parts'),
    ]

    operations = [
        migrations.CreateModel(
            name='SearchWord',
            fields=[
                ('word', models.CharField(max_length=40, primary_key=True, serialize=False)),
            ],
        ),
    ]
