import apps.accounts.models
import apps.common.email_addresses
from django.db import migrations


class Migration(migrations.Migration):

    dependencies = [
        ('accounts', '0016_more_labels'),
    ]

    operations = [
        migrations.AlterField(
            model_name='user',
            name='email',
            field=apps.accounts.models.MailboxField(max_length=254, unique=True, validators=[apps.common.email_addresses.check_email], verbose_name='email'),
        ),
    ]
