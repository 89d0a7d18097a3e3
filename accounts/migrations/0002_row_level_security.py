"""Puts the tenant tables of this floor behind row-level security."""

from django.db import migrations

from accounts import isolation

TABLES = ["accounts_membership", "accounts_agentkey", "accounts_monthlyusage"]


class Migration(migrations.Migration):
    dependencies = [("accounts", "0001_initial")]

    operations = [isolation.protect(table) for table in TABLES]
