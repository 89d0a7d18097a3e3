"""The audit log: rows come in and stay as they are. The database itself refuses to change or delete one."""

import django.db.models.deletion
import django.utils.timezone
from django.db import migrations, models

from accounts import isolation

APPEND_ONLY = """
    CREATE FUNCTION pam_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        RAISE EXCEPTION 'The audit log is append-only.' USING ERRCODE = 'insufficient_privilege';
    END $$;
    CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON accounts_auditentry
        FOR EACH STATEMENT EXECUTE FUNCTION pam_append_only();
"""
NO_LONGER = "DROP TRIGGER append_only ON accounts_auditentry; DROP FUNCTION pam_append_only();"


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0003_oauth"),
    ]

    operations = [
        migrations.CreateModel(
            name="AuditEntry",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("account_public_id", models.CharField(blank=True, editable=False, max_length=40)),
                ("by", models.CharField(editable=False, max_length=300)),
                ("did", models.CharField(editable=False, max_length=40)),
                ("thing", models.CharField(editable=False, max_length=40)),
                ("thing_id", models.CharField(editable=False, max_length=80)),
                ("reason", models.CharField(editable=False, max_length=500)),
                ("at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                (
                    "account",
                    models.ForeignKey(
                        db_constraint=False,
                        editable=False,
                        null=True,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="+",
                        to="accounts.account",
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "audit log",
                "indexes": [models.Index(fields=["account", "at", "id"], name="audit_by_account")],
            },
        ),
        isolation.protect("accounts_auditentry"),
        migrations.RunSQL(APPEND_ONLY, NO_LONGER),
    ]
