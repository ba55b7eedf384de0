from django.db import migrations, models

from apps.catalog.words import words_of

BATCH = 5_000


def learn(apps, schema_editor):
    words = set()
    for name in apps.get_model("catalog", "Product").objects.values_list("eng_name", flat=True).iterator(BATCH):
        words |= words_of(name)
    for name in apps.get_model("catalog", "Brand").objects.values_list("eng", flat=True):
        words |= words_of(name)
    model = apps.get_model("catalog", "SearchWord")
    model.objects.bulk_create([model(word=word) for word in sorted(words)], batch_size=BATCH, ignore_conflicts=True)


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
        migrations.RunPython(learn, migrations.RunPython.noop),
    ]
