"""The staff's groups with what each may do (design/admin.md, section 4); the permissions are made first."""

from django.db import migrations

APPROVERS = {
    ("accounts", "company"): ("view", "add", "change"),
    ("accounts", "user"): ("view", "change"),
    ("catalog", "brandaccess"): ("view", "add", "change", "delete"),
    ("post_office", "email"): ("view", "change"),
}
SALES = {
    ("accounts", "company"): ("view",),
    ("admin", "logentry"): ("view",),
    ("catalog", "brand"): ("view", "add", "change"),
    ("catalog", "product"): ("view", "add", "change"),
    ("catalog", "promotion"): ("view", "add", "change", "delete"),
    ("catalog", "promotionitem"): ("view", "add", "change", "delete"),
    ("catalog", "stock"): ("view", "change"),
    ("catalog", "stockchange"): ("view",),
    ("notices", "notice"): ("view", "add", "change", "delete"),
    ("notices", "noticeaudience"): ("view", "add", "change", "delete"),
    ("notices", "noticefile"): ("view", "add", "change", "delete"),
    ("notices", "noticeread"): ("view", "delete"),
    ("orders", "order"): ("view", "change"),
    ("orders", "orderdocument"): ("view",),
    ("orders", "orderevent"): ("view",),
    ("payments", "payment"): ("view", "change"),
    ("payments", "walletentry"): ("view",),
    ("post_office", "email"): ("view", "change"),
}
GROUPS = {"Approvers": APPROVERS, "Sales": SALES}


def make_groups(apps, schema_editor):
    content_type, permission = apps.get_model("contenttypes", "ContentType"), apps.get_model("auth", "Permission")
    group = apps.get_model("auth", "Group")
    for name, allowed in GROUPS.items():
        permissions = []
        for (app, model), actions in allowed.items():
            kind, _ = content_type.objects.get_or_create(app_label=app, model=model)
            words = apps.get_model(app, model)._meta.verbose_name
            for action in actions:
                made, _ = permission.objects.get_or_create(
                    content_type=kind, codename=f"{action}_{model}", defaults={"name": f"Can {action} {words}"}
                )
                permissions.append(made)
        group.objects.get_or_create(name=name)[0].permissions.set(permissions)


def drop_groups(apps, schema_editor):
    apps.get_model("auth", "Group").objects.filter(name__in=GROUPS).delete()


class Migration(migrations.Migration):
    dependencies = [
        ("portal", "0001_sweep_runs"),
        ("accounts", "0001_initial"),
        ("admin", "0003_logentry_add_action_flag_choices"),
        ("auth", "0012_alter_user_first_name_max_length"),
        ("catalog", "0001_initial"),
        ("contenttypes", "0002_remove_content_type_name"),
        ("notices", "0001_initial"),
        ("orders", "0001_initial"),
        ("payments", "0001_initial"),
        ("post_office", "0001_initial"),
    ]

    operations = [migrations.RunPython(make_groups, drop_groups)]
