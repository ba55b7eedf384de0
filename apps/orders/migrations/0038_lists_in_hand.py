"""The one list that a buyer has in hand; own codes and layouts stay in the tables where they are."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('accounts', '0011_one_spelling_of_a_mailbox'),
        ('catalog', '0029_lists_move_to_orders'),
        ('orders', '0037_no_saved_filters'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='ListInHand',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('uuid', models.UUIDField()),
                ('name', models.CharField(max_length=200)),
                ('content', models.BinaryField()),
                ('tab', models.PositiveSmallIntegerField(help_text='the one to read; empty: proposed', null=True)),
                ('columns', models.JSONField(default=list, help_text='what the buyer says of its columns')),
                ('rows', models.PositiveIntegerField(default=0, help_text='that ask for something')),
                ('decisions', models.JSONField(default=list)),
                ('sent_at', models.DateTimeField()),
                ('touched_at', models.DateTimeField(db_index=True)),
                ('used_key', models.UUIDField(help_text='the review that put it into the basket', null=True)),
                ('pasted_by', models.ForeignKey(db_index=False, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('user', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='list_in_hand', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.CreateModel(
                    name='ListLayout',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('fingerprint', models.CharField(help_text='of the headings, else of what stands in the columns', max_length=64)),
                        ('headings', models.CharField(blank=True, help_text='as the sheet has them; empty: none', max_length=200)),
                        ('kinds', models.JSONField(help_text='by column what it holds')),
                        ('carton', models.PositiveIntegerField(default=0, help_text='pieces in a carton; 0: it is asked at each row')),
                        ('settled_at', models.DateTimeField()),
                        ('company', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='list_layouts', to='accounts.company')),
                        ('settled_by', models.ForeignKey(blank=True, db_index=False, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                    ],
                    options={
                        'verbose_name': 'layout of a list',
                        'verbose_name_plural': 'layouts of lists',
                        'db_table': 'catalog_listlayout',
                        'ordering': ('-settled_at',),
                        'constraints': [models.UniqueConstraint(fields=('company', 'fingerprint'), name='listlayout_once')],
                    },
                ),
                migrations.CreateModel(
                    name='OwnCode',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('code', models.CharField(help_text='in capitals, as lists are read', max_length=60)),
                        ('pieces', models.PositiveIntegerField(blank=True, help_text='in a carton; empty: a code of a product', null=True)),
                        ('learned_at', models.DateTimeField()),
                        ('company', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='own_codes', to='accounts.company')),
                        ('learned_by', models.ForeignKey(blank=True, db_index=False, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                        ('product', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='own_codes', to='catalog.product')),
                    ],
                    options={
                        'db_table': 'catalog_owncode',
                        'ordering': ('code',),
                        'constraints': [models.UniqueConstraint(fields=('company', 'code'), name='owncode_once'), models.CheckConstraint(condition=models.Q(('code', ''), _negated=True), name='owncode_named')],
                    },
                ),
            ],
        ),
        migrations.AddField(
            model_name="listlayout",
            name="decimal",
            field=models.CharField(blank=True, db_default='', help_text='what begins decimals in quantities', max_length=1),
        ),
    ]
