"""An empty database gets all tables of the app at once. One of 1.0.0 or later runs the migrations
that this replaces: whoever deletes those moves here what `by_hand` takes from them.
"""

from importlib import import_module

import apps.accounts.models
import apps.common.email_addresses
import apps.common.names
import django.db.models.deletion
import django.db.models.expressions
import django.db.models.functions.text
import uuid
from django.conf import settings
from django.db import migrations, models

BY_HAND = (
    "0002_addresses_and_business_types",
    "0004_names_of_states",
)


def by_hand(apps, schema_editor):
    """Run what the replaced migrations do beside making tables."""
    for name in BY_HAND:
        for operation in import_module(f"apps.accounts.migrations.{name}").Migration.operations:
            if isinstance(operation, migrations.RunPython):
                operation.code(apps, schema_editor)


class Migration(migrations.Migration):

    replaces = [('accounts', '0001_initial'), ('accounts', '0002_addresses_and_business_types'), ('accounts', '0003_registration'), ('accounts', '0004_names_of_states'), ('accounts', '0005_fewer_indexes'), ('accounts', '0006_emails_are_checked'), ('accounts', '0007_customers'), ('accounts', '0008_company_addresses'), ('accounts', '0009_pasted_messages'), ('accounts', '0010_mentions'), ('accounts', '0011_one_spelling_of_a_mailbox'), ('accounts', '0012_no_mentions'), ('accounts', '0013_composed_names'), ('accounts', '0014_language_of_staff'), ('accounts', '0015_labels'), ('accounts', '0016_more_labels'), ('accounts', '0017_email_label'), ('accounts', '0018_model_names'), ('accounts', '0019_tax_number'), ('accounts', '0020_terms_version'), ('accounts', '0021_no_deposit'), ('accounts', '0022_invitations'), ('accounts', '0023_price_groups'), ('accounts', '0024_former_prices'), ('accounts', '0025_company_short_name'), ('accounts', '0026_names_of_models')]

    initial = True

    dependencies = [
        ('auth', '0012_alter_user_first_name_max_length'),
    ]

    operations = [
        migrations.CreateModel(
            name='AddressEntry',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('code', models.CharField(max_length=10, unique=True, verbose_name='code')),
                ('content', models.CharField(max_length=120, verbose_name='content')),
                ('parent', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='states', to='accounts.addressentry', verbose_name='parent')),
            ],
            options={
                'verbose_name': 'address entry',
                'verbose_name_plural': 'address entries',
                'ordering': ('content',),
            },
        ),
        migrations.CreateModel(
            name='BusinessType',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('type', models.CharField(max_length=80, unique=True)),
                ('position', models.PositiveSmallIntegerField(default=0)),
            ],
            options={
                'verbose_name': 'business type',
                'verbose_name_plural': 'business types',
                'ordering': ('position', 'type'),
            },
        ),
        migrations.CreateModel(
            name='PriceGroup',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', apps.common.names.NameField(max_length=80, unique=True, verbose_name='name')),
                ('percent', models.DecimalField(decimal_places=2, default=0, help_text='added to wholesale prices: -10 is ten per cent off', max_digits=5, verbose_name='percent')),
                ('minimum_order', models.DecimalField(blank=True, decimal_places=2, help_text='empty: that of the settings', max_digits=12, null=True, verbose_name='minimum order $')),
                ('deposit_rate', models.DecimalField(blank=True, decimal_places=2, help_text="share of an order's subtotal; empty: the house's", max_digits=3, null=True, verbose_name='deposit share')),
            ],
            options={
                'verbose_name': 'price group',
                'verbose_name_plural': 'price groups',
                'ordering': ('name',),
                'constraints': [models.CheckConstraint(condition=models.Q(('percent__gte', -100)), name='pricegroup_percent'), models.CheckConstraint(condition=models.Q(('minimum_order__isnull', True), ('minimum_order__gte', 0), _connector='OR'), name='pricegroup_minimum_order'), models.CheckConstraint(condition=models.Q(('deposit_rate__isnull', True), models.Q(('deposit_rate__gte', 0), ('deposit_rate__lte', 1)), _connector='OR'), name='pricegroup_deposit_rate')],
            },
        ),
        migrations.CreateModel(
            name='Company',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', apps.common.names.NameField(max_length=120, verbose_name='name')),
                ('short_name', models.CharField(blank=True, db_default='', default='', help_text="What the seller's own lists call it.", max_length=60, verbose_name='short name')),
                ('phone', models.CharField(blank=True, max_length=40, verbose_name='phone')),
                ('tax_number', models.CharField(blank=True, db_default='', default='', max_length=40, verbose_name='tax or EORI number')),
                ('country', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='accounts.addressentry', verbose_name='country')),
                ('state', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='accounts.addressentry', verbose_name='state')),
                ('city', models.CharField(blank=True, max_length=80, verbose_name='city')),
                ('address1', models.CharField(blank=True, max_length=120, verbose_name='address1')),
                ('address2', models.CharField(blank=True, max_length=120, verbose_name='address2')),
                ('zipcode', models.CharField(blank=True, max_length=20, verbose_name='zipcode')),
                ('business_type', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, to='accounts.businesstype', verbose_name='business type')),
                ('sales_channel', models.CharField(blank=True, max_length=200, verbose_name='sales channel')),
                ('is_open', models.BooleanField(default=True, help_text="A closed company's users cannot sign in.", verbose_name='is open')),
                ('brands_restricted', models.BooleanField(default=False, help_text='Sees only the brands it was given.', verbose_name='brands restricted')),
                ('deposit_rate', models.DecimalField(blank=True, decimal_places=2, help_text="share of an order's subtotal; empty: the house's", max_digits=3, null=True)),
                ('price_group', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='companies', to='accounts.pricegroup', verbose_name='price group')),
                ('created_at', models.DateTimeField(auto_now_add=True, verbose_name='created at')),
            ],
            options={
                'verbose_name': 'company',
                'verbose_name_plural': 'companies',
                'ordering': (django.db.models.functions.text.Lower(django.db.models.functions.text.Trim(django.db.models.functions.text.Replace(django.db.models.functions.text.Replace(django.db.models.functions.text.Replace(django.db.models.functions.text.Replace(models.F('name'), models.Value('㈜')), models.Value('(주)')), models.Value('（주）')), models.Value('주식회사')))),),
                'permissions': [('set_deposit_share', "Can set a company's deposit share")],
                'indexes': [models.Index(django.db.models.functions.text.Lower(django.db.models.functions.text.Trim(django.db.models.functions.text.Replace(django.db.models.functions.text.Replace(django.db.models.functions.text.Replace(django.db.models.functions.text.Replace(models.F('name'), models.Value('㈜')), models.Value('(주)')), models.Value('（주）')), models.Value('주식회사')))), name='company_bare_name'), models.Index(django.db.models.functions.text.Replace(django.db.models.functions.text.Replace(django.db.models.functions.text.Replace(django.db.models.functions.text.Replace(django.db.models.functions.text.Replace(django.db.models.functions.text.Replace(django.db.models.functions.text.Replace(models.F('phone'), models.Value(' '), models.Value('')), models.Value('+'), models.Value('')), models.Value('-'), models.Value('')), models.Value('('), models.Value('')), models.Value(')'), models.Value('')), models.Value('.'), models.Value('')), models.Value('/'), models.Value('')), name='company_phone')],
                'constraints': [models.CheckConstraint(condition=models.Q(('deposit_rate__isnull', True), models.Q(('deposit_rate__gte', 0), ('deposit_rate__lte', 1)), _connector='OR'), name='company_deposit_rate')],
            },
        ),
        migrations.CreateModel(
            name='User',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('password', models.CharField(max_length=128, verbose_name='password')),
                ('last_login', models.DateTimeField(blank=True, null=True, verbose_name='last login')),
                ('is_superuser', models.BooleanField(default=False, help_text='Designates that this user has all permissions without explicitly assigning them.', verbose_name='superuser status')),
                ('ship_country', models.ForeignKey(blank=True, db_index=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='accounts.addressentry')),
                ('ship_state', models.ForeignKey(blank=True, db_index=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='accounts.addressentry')),
                ('ship_city', models.CharField(blank=True, max_length=80)),
                ('ship_zipcode', models.CharField(blank=True, max_length=20)),
                ('ship_address1', models.CharField(blank=True, max_length=120)),
                ('ship_address2', models.CharField(blank=True, max_length=120)),
                ('ship_phone', models.CharField(blank=True, max_length=40)),
                ('uuid', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ('email', apps.accounts.models.MailboxField(max_length=254, unique=True, validators=[apps.common.email_addresses.check_email], verbose_name='email')),
                ('manager', apps.common.names.NameField(max_length=120, verbose_name='name')),
                ('company', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='users', to='accounts.company', verbose_name='company')),
                ('stock_free', models.BooleanField(default=False, help_text='May order products that are out of stock.', verbose_name='stock free')),
                ('approval', models.CharField(choices=[('pending', 'To decide'), ('approved', 'Approved'), ('rejected', 'Rejected')], default='pending', max_length=10, verbose_name='approval')),
                ('approval_reason', models.TextField(blank=True, verbose_name='approval reason')),
                ('registered_at', models.DateTimeField(blank=True, help_text='When the registration form was sent.', null=True)),
                ('asked_at', models.DateTimeField(blank=True, help_text='When staff asked for more; none once it came.', null=True)),
                ('terms_accepted_at', models.DateTimeField(blank=True, null=True)),
                ('terms_version', models.PositiveIntegerField(blank=True, help_text="of the policy; 0 is the portal's own", null=True)),
                ('decided_at', models.DateTimeField(blank=True, null=True, verbose_name='decided at')),
                ('decided_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='decided by')),
                ('session_version', models.PositiveIntegerField(default=1, editable=False)),
                ('is_active', models.BooleanField(default=True)),
                ('is_staff', models.BooleanField(default=False, verbose_name='is staff')),
                ('language', models.CharField(blank=True, choices=[('en', 'English'), ('ko', '한국어')], db_default='', default='', help_text="Of the staff's pages; empty: what the browser asks for.", max_length=2)),
                ('created_at', models.DateTimeField(auto_now_add=True, verbose_name='created at')),
                ('groups', models.ManyToManyField(blank=True, help_text='The groups this user belongs to. A user will get all permissions granted to each of their groups.', related_name='user_set', related_query_name='user', to='auth.group', verbose_name='groups')),
                ('user_permissions', models.ManyToManyField(blank=True, help_text='Specific permissions for this user.', related_name='user_set', related_query_name='user', to='auth.permission', verbose_name='user permissions')),
            ],
            options={
                'verbose_name': 'user',
                'verbose_name_plural': 'users',
                'ordering': ('email',),
                'indexes': [models.Index(fields=['approval', 'registered_at'], name='user_registered'), models.Index(django.db.models.functions.text.Substr('email', django.db.models.expressions.CombinedExpression(django.db.models.functions.text.StrIndex('email', models.Value('@')), '+', models.Value(1))), name='user_domain')],
                'constraints': [models.UniqueConstraint(django.db.models.functions.text.Lower('email'), name='user_email'), models.CheckConstraint(condition=models.Q(('is_staff', True), ('company__isnull', False), _connector='OR'), name='user_buyer_has_company')],
            },
        ),
        migrations.CreateModel(
            name='EmailVerification',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('email', apps.accounts.models.MailboxField(max_length=254)),
                ('user', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='verifications', to=settings.AUTH_USER_MODEL)),
                ('token_hash', models.CharField(max_length=64, unique=True)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('expires_at', models.DateTimeField()),
                ('used_at', models.DateTimeField(blank=True, null=True)),
            ],
            options={
                'verbose_name': 'email verification',
                'verbose_name_plural': 'email verifications',
                'indexes': [models.Index(django.db.models.functions.text.Lower('email'), name='verification_email')],
            },
        ),
        migrations.CreateModel(
            name='Certificate',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('verification', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='certificates', to='accounts.emailverification')),
                ('user', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='certificates', to=settings.AUTH_USER_MODEL)),
                ('storage_name', models.CharField(max_length=80, unique=True)),
                ('given_name', models.CharField(max_length=200)),
                ('content_type', models.CharField(max_length=40)),
                ('size', models.PositiveIntegerField(help_text='bytes')),
                ('uploaded_at', models.DateTimeField(auto_now_add=True)),
            ],
            options={
                'verbose_name': 'certificate',
                'verbose_name_plural': 'certificates',
            },
        ),
        migrations.CreateModel(
            name='CompanyAddress',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('ship_country', models.ForeignKey(blank=True, db_index=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='accounts.addressentry')),
                ('ship_state', models.ForeignKey(blank=True, db_index=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='accounts.addressentry')),
                ('ship_city', models.CharField(blank=True, max_length=80)),
                ('ship_zipcode', models.CharField(blank=True, max_length=20)),
                ('ship_address1', models.CharField(blank=True, max_length=120)),
                ('ship_address2', models.CharField(blank=True, max_length=120)),
                ('ship_phone', models.CharField(blank=True, max_length=40)),
                ('company', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='addresses', to='accounts.company')),
                ('name', models.CharField(max_length=60)),
            ],
            options={
                'verbose_name': 'address',
                'verbose_name_plural': 'addresses',
                'ordering': ('name', 'id'),
                'constraints': [models.UniqueConstraint(models.F('company'), django.db.models.functions.text.Lower('name'), name='companyaddress_name'), models.CheckConstraint(condition=models.Q(('name', ''), _negated=True), name='companyaddress_named')],
            },
        ),
        migrations.CreateModel(
            name='CompanyEvent',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('actor', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('note', models.TextField(blank=True)),
                ('at', models.DateTimeField()),
                ('company', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='events', to='accounts.company')),
                ('kind', models.CharField(choices=[('note', 'Internal note'), ('deposit', 'Deposit share'), ('message', 'Message')], max_length=10)),
            ],
            options={
                'verbose_name': 'company event',
                'verbose_name_plural': 'company events',
                'ordering': ('at', 'id'),
                'abstract': False,
            },
        ),
        migrations.CreateModel(
            name='FormerPercent',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('group', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='former_percents', to='accounts.pricegroup')),
                ('percent', models.DecimalField(decimal_places=2, max_digits=5)),
                ('until', models.DateTimeField()),
            ],
            options={
                'verbose_name': 'former percent',
                'verbose_name_plural': 'former percents',
                'ordering': ('until',),
            },
        ),
        migrations.CreateModel(
            name='FormerPriceGroup',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('company', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='former_price_groups', to='accounts.company')),
                ('group', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='accounts.pricegroup')),
                ('until', models.DateTimeField()),
            ],
            options={
                'verbose_name': 'former price group',
                'verbose_name_plural': 'former price groups',
                'ordering': ('until',),
            },
        ),
        migrations.CreateModel(
            name='Invitation',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('user', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='invitation', to=settings.AUTH_USER_MODEL)),
                ('token_hash', models.CharField(max_length=64, unique=True)),
                ('sent_at', models.DateTimeField()),
                ('sent_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('expires_at', models.DateTimeField()),
                ('opened_at', models.DateTimeField(blank=True, null=True)),
                ('accepted_at', models.DateTimeField(blank=True, null=True)),
            ],
            options={
                'verbose_name': 'invitation',
                'verbose_name_plural': 'invitations',
            },
        ),
        migrations.CreateModel(
            name='Registration',
            fields=[
            ],
            options={
                'verbose_name': 'registration',
                'verbose_name_plural': 'registrations',
                'proxy': True,
                'default_permissions': (),
            },
            bases=('accounts.user',),
        ),
        migrations.CreateModel(
            name='RegistrationEvent',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('actor', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('note', models.TextField(blank=True)),
                ('at', models.DateTimeField()),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='registration_events', to=settings.AUTH_USER_MODEL)),
                ('kind', models.CharField(choices=[('sent', 'Sent'), ('asked', 'Asked for more'), ('sent_again', 'Sent again'), ('approved', 'Approved'), ('rejected', 'Rejected'), ('withdrawn', 'Approval withdrawn'), ('note', 'Note'), ('password_mail', 'Password mail')], max_length=20)),
                ('subject', models.CharField(blank=True, max_length=200)),
                ('body', models.TextField(blank=True)),
            ],
            options={
                'verbose_name': 'registration event',
                'verbose_name_plural': 'registration events',
                'ordering': ('at', 'id'),
                'abstract': False,
            },
        ),
        migrations.RunPython(by_hand),
    ]
