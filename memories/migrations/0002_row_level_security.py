"""Puts every tenant table of this floor behind row-level security."""

from django.db import migrations

from accounts import isolation

TABLES = [
    "source",
    "document",
    "upload",
    "section",
    "fact",
    "entity",
    "mention",
    "relationship",
    "readiness",
    "wordcorpus",
    "wordfrequency",
]


class Migration(migrations.Migration):
    dependencies = [("memories", "0001_initial"), ("accounts", "0002_row_level_security")]

    operations = [isolation.protect(f"memories_{table}") for table in TABLES]
