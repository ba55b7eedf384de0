"""An empty database gets all tables of the app at once. One of 1.0.0 or later runs the migrations
that this replaces.
"""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    replaces = [('notices', '0001_initial'), ('notices', '0002_staff_pages'), ('notices', '0003_labels'), ('notices', '0004_model_names')]

    initial = True

    dependencies = [
        ('accounts', 'all_squashed_0026_names_of_models'),
    ]

    operations = [
        migrations.CreateModel(
            name='Notice',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('title', models.CharField(max_length=200, verbose_name='title')),
                ('content', models.TextField(help_text='sanitised HTML')),
                ('published_at', models.DateTimeField(blank=True, help_text='empty: a draft', null=True)),
                ('popup_from', models.DateTimeField(blank=True, null=True)),
                ('popup_until', models.DateTimeField(blank=True, null=True)),
                ('for_everybody', models.BooleanField(default=True)),
                ('author', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('changed_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('changed_at', models.DateTimeField(blank=True, null=True)),
                ('version', models.PositiveIntegerField(db_default=1, default=1, help_text='rises with every change')),
            ],
            options={
                'verbose_name': 'notice',
                'verbose_name_plural': 'notices',
                'ordering': ('-published_at', '-id'),
                'indexes': [models.Index(fields=['-published_at', '-id'], include=('title', 'for_everybody'), name='notice_newest'), models.Index(condition=models.Q(('popup_until__isnull', False)), fields=['popup_until', 'popup_from'], include=('published_at', 'for_everybody'), name='notice_popup')],
                'constraints': [models.CheckConstraint(condition=models.Q(models.Q(('popup_from__isnull', True), ('popup_until__isnull', True)), ('popup_until__gt', models.F('popup_from')), _connector='OR'), name='notice_popup_window')],
            },
        ),
        migrations.CreateModel(
            name='NoticeAudience',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('notice', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='audience', to='notices.notice')),
                ('kind', models.CharField(choices=[('country', 'Country'), ('company', 'Company'), ('brand', 'Buyers of a brand')], max_length=10)),
                ('object_id', models.PositiveBigIntegerField()),
            ],
            options={
                'verbose_name': 'notice audience',
                'verbose_name_plural': 'notice audiences',
                'constraints': [models.UniqueConstraint(fields=('kind', 'object_id', 'notice'), name='noticeaudience_once')],
            },
        ),
        migrations.CreateModel(
            name='NoticeFile',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('notice', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='files', to='notices.notice')),
                ('title', models.CharField(max_length=200)),
                ('storage_name', models.CharField(max_length=80, unique=True)),
                ('content_type', models.CharField(max_length=100)),
                ('size', models.PositiveIntegerField(help_text='bytes')),
            ],
            options={
                'verbose_name': 'notice file',
                'verbose_name_plural': 'notice files',
                'ordering': ('id',),
            },
        ),
        migrations.CreateModel(
            name='NoticeRead',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('notice', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='readers', to='notices.notice')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('at', models.DateTimeField()),
            ],
            options={
                'verbose_name': 'notice read',
                'verbose_name_plural': 'notice reads',
                'ordering': ('at', 'id'),
                'constraints': [models.UniqueConstraint(fields=('notice', 'user'), name='noticeread_once')],
            },
        ),
    ]
