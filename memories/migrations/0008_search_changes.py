"""Marks of change, written by Postgres with whatever writes facts or sections: see memories/models/changes.py."""

import django.db.models.deletion
import django.db.models.functions.datetime
from django.db import migrations, models

from accounts import isolation

NOTE = """
CREATE FUNCTION memories_note_search_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO memories_searchchange (account_id) SELECT DISTINCT account_id FROM changed;
    RETURN NULL;
END $$
"""
# One trigger for each event: a transition table is of one kind only.
TRIGGER = """
CREATE TRIGGER {table}_{event}_noted AFTER {event} ON memories_{table}
REFERENCING {rows} TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION memories_note_search_change()
"""
EVENTS = {"insert": "NEW", "update": "NEW", "delete": "OLD"}
TRIGGERS = [(table, event, rows) for table in ("fact", "section") for event, rows in EVENTS.items()]


class Migration(migrations.Migration):
    dependencies = [("accounts", "0003_oauth"), ("memories", "0007_superseded_sections")]

    operations = [
        migrations.CreateModel(
            name="SearchChange",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("changed_at", models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                (
                    "account",
                    models.ForeignKey(
                        db_constraint=False,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="+",
                        to="accounts.account",
                    ),
                ),
            ],
            options={"indexes": [models.Index(fields=["account", "id"], name="searchchange_in_order")]},
        ),
        isolation.protect("memories_searchchange"),
        migrations.RunSQL(sql=NOTE, reverse_sql="DROP FUNCTION memories_note_search_change()"),
        *[
            migrations.RunSQL(
                sql=TRIGGER.format(table=table, event=event, rows=rows),
                reverse_sql=f"DROP TRIGGER {table}_{event}_noted ON memories_{table}",
            )
            for table, event, rows in TRIGGERS
        ],
    ]
