"""Rollups are ordered by agent first: a page reads one agent's, or those of all, as one range."""

import django.db.models.deletion
from django.db import migrations, models

from telemetry.migrations._tables import CreateClustered


class Migration(migrations.Migration):
    dependencies = [("telemetry", "0001_initial")]

    operations = [
        migrations.DeleteModel("Rollup"),
        CreateClustered(
            name="Rollup",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "agent_id", "grain", "bucket", "series", blank=True, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("agent_id", models.BigIntegerField()),
                ("grain", models.SmallIntegerField()),
                ("bucket", models.IntegerField()),
                (
                    "series",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        to="telemetry.series",
                    ),
                ),
                ("n", models.BigIntegerField()),
                ("first_time", models.BigIntegerField()),
                ("attempts", models.BigIntegerField()),
                ("duration_us", models.BigIntegerField()),
                ("recovery_us", models.BigIntegerField()),
            ],
        ),
    ]
