"""What OpenTelemetry spans say about the calls beneath them."""

from django.db import migrations, models

from telemetry.migrations._tables import CreateClustered


class Migration(migrations.Migration):
    dependencies = [("telemetry", "0006_spikes")]

    operations = [
        CreateClustered(
            name="SpanContext",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "agent_id", "trace_id", "span_id", blank=True, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("agent_id", models.BigIntegerField()),
                ("trace_id", models.CharField(max_length=32)),
                ("span_id", models.CharField(max_length=16)),
                ("parent_id", models.CharField(blank=True, max_length=16)),
                ("session_id", models.CharField(blank=True, max_length=128)),
                ("agent_name", models.CharField(blank=True, max_length=128)),
                ("tool", models.CharField(blank=True, max_length=200)),
                ("is_mcp", models.BooleanField()),
                ("call_id", models.CharField(max_length=128)),
                ("minute", models.IntegerField()),
            ],
        ),
    ]
