"""Sketches are stored as lanes of bytes: merging them is adding integers."""

import django.db.models.deletion
from django.db import migrations, models

from telemetry.migrations._tables import CreateClustered


class Migration(migrations.Migration):
    dependencies = [("telemetry", "0003_expected_state")]

    operations = [
        migrations.DeleteModel("Sketch"),
        CreateClustered(
            name="Sketch",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "grain", "bucket", "tool", "agent_id", "kind", blank=True, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("grain", models.SmallIntegerField()),
                ("bucket", models.IntegerField()),
                (
                    "tool",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        to="telemetry.tool",
                    ),
                ),
                ("agent_id", models.BigIntegerField()),
                ("kind", models.CharField(max_length=10)),
                ("bins", models.BinaryField()),
            ],
        ),
    ]
