"""Puts the tenant tables of this floor behind row-level security, and makes the plans that an install starts with."""

from django.db import migrations

from accounts import isolation

PLANS = [
    {"name": "unlimited", "title": "Unlimited", "monthly_retrievals": -1, "hourly_attempts": -1},
    {"name": "starter", "title": "Starter", "monthly_retrievals": 1000, "hourly_attempts": 100},
]


def make_plans(apps, schema_editor):
    plans = apps.get_model("accounts", "Plan")
    for plan in PLANS:
        plans.objects.get_or_create(name=plan["name"], defaults=plan)


class Migration(migrations.Migration):
    dependencies = [("accounts", "0001_initial")]

    operations = [
        *[isolation.protect(table) for table in ("accounts_membership", "accounts_agentkey", "accounts_monthlyusage")],
        migrations.RunPython(make_plans, migrations.RunPython.noop),
    ]
