import django.contrib.postgres.indexes
from django.db import migrations
from django.db.models import F


class Migration(migrations.Migration):
    dependencies = [("mcp_gateway", "0002_row_level_security")]

    operations = [
        # Dropping an extension needs its owner, and others may use it: on the way back it stays.
        migrations.RunSQL("CREATE EXTENSION IF NOT EXISTS pg_trgm", migrations.RunSQL.noop),
        migrations.AddIndex(
            model_name="requestlog",
            index=django.contrib.postgres.indexes.GinIndex(
                F("account"),
                django.contrib.postgres.indexes.OpClass("tool_name", name="gin_trgm_ops"),
                django.contrib.postgres.indexes.OpClass("prompt", name="gin_trgm_ops"),
                django.contrib.postgres.indexes.OpClass("response_content_text", name="gin_trgm_ops"),
                gin_pending_list_limit=65_536,
                name="requestlog_by_part_of_a_word",
            ),
        ),
    ]
