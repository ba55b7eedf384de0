"""What was called a paper is called an issued document. Tables, columns and indexes keep their names."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('orders', '0009_fewer_indexes'),
    ]

    operations = [
        migrations.AlterModelTable(name='orderpaper', table='orders_orderpaper'),
        migrations.RenameModel(old_name='OrderPaper', new_name='IssuedDocument'),
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.AlterField(
                    model_name='issueddocument',
                    name='order',
                    field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='issued_documents', to='orders.order'),
                ),
                migrations.RemoveConstraint(model_name='orderdocument', name='orderdocument_once'),
                migrations.RemoveConstraint(model_name='orderdocument', name='orderdocument_rendered'),
                migrations.RemoveIndex(model_name='orderdocument', name='orderdocument_waiting'),
                migrations.RenameField(model_name='orderdocument', old_name='paper', new_name='issued'),
                migrations.AlterField(
                    model_name='orderdocument',
                    name='issued',
                    field=models.ForeignKey(blank=True, db_column='paper_id', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='files', to='orders.issueddocument'),
                ),
                migrations.AlterField(
                    model_name='orderdocument',
                    name='rendered_at',
                    field=models.DateTimeField(blank=True, help_text='when the file of an issued document was made', null=True),
                ),
                migrations.AddConstraint(
                    model_name='orderdocument',
                    constraint=models.UniqueConstraint(fields=('issued', 'content_type'), name='orderdocument_once'),
                ),
                migrations.AddConstraint(
                    model_name='orderdocument',
                    constraint=models.CheckConstraint(condition=models.Q(('issued__isnull', False), ('rendered_at__isnull', True), _connector='OR'), name='orderdocument_rendered'),
                ),
                migrations.AddIndex(
                    model_name='orderdocument',
                    index=models.Index(condition=models.Q(('issued__isnull', False), ('rendered_at__isnull', True)), fields=['id'], name='orderdocument_waiting'),
                ),
            ],
        ),
    ]
