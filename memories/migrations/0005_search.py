from django.db import migrations, models
from pgvector.django import HnswIndex

# Vector and words stay in the row as long as it fits a page, so that a scan does not look each of them up; long text
# goes out of line instead.
INLINE = "ALTER TABLE {table} ALTER COLUMN vector SET STORAGE MAIN, ALTER COLUMN words SET STORAGE MAIN"
OUT_OF_LINE = "ALTER TABLE {table} ALTER COLUMN vector SET STORAGE EXTERNAL, ALTER COLUMN words SET STORAGE EXTENDED"


class Migration(migrations.Migration):
    dependencies = [("memories", "0004_delete_in_the_database")]

    operations = [
        migrations.AddField(
            model_name="fact",
            name="heading",
            field=models.CharField(
                blank=True, max_length=1000, help_text="The document's title and the headings above it.", default=""
            ),
            preserve_default=False,
        ),
        migrations.AddIndex(
            model_name="fact",
            index=models.Index(fields=["account", "statement_hash"], name="fact_by_statement"),
        ),
        migrations.AddIndex(
            model_name="fact",
            index=HnswIndex(fields=["vector"], name="fact_by_meaning", opclasses=["halfvec_ip_ops"]),
        ),
        migrations.AddIndex(
            model_name="section",
            index=HnswIndex(fields=["vector"], name="section_by_meaning", opclasses=["halfvec_ip_ops"]),
        ),
        *[
            migrations.RunSQL(INLINE.format(table=table), OUT_OF_LINE.format(table=table))
            for table in ("memories_fact", "memories_section")
        ],
    ]
