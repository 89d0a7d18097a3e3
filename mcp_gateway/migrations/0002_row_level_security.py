"""Puts the request log behind row-level security."""

from django.db import migrations

from accounts import isolation


class Migration(migrations.Migration):
    dependencies = [("mcp_gateway", "0001_initial")]

    operations = [isolation.protect("mcp_gateway_requestlog")]
