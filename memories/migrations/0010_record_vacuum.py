"""Keeps the scan of records narrow: what is known to be seen by all is read from the index alone."""

from django.db import migrations

OPTIONS = (
    "autovacuum_vacuum_scale_factor",
    "autovacuum_vacuum_insert_scale_factor",
    "autovacuum_vacuum_threshold",
    "autovacuum_vacuum_insert_threshold",
)


class Migration(migrations.Migration):
    dependencies = [("memories", "0009_record_windows")]

    operations = [
        # A record is written four times (its words, its neighbours', two vectors), and the index `record_scan` spares
        # the rows only where they were vacuumed since: by default that would be after a fifth of the table has changed.
        migrations.RunSQL(
            sql="ALTER TABLE memories_record SET ({}, {}, {}, {})".format(
                *(f"{name} = {0.02 if name.endswith('factor') else 200}" for name in OPTIONS)
            ),
            reverse_sql=f"ALTER TABLE memories_record RESET ({', '.join(OPTIONS)})",
        ),
    ]
