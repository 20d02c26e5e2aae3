"""Sums over all tools, for what was counted before they were kept."""

from collections import defaultdict

from django.db import migrations

from telemetry.domain.ids import id_of_words

EVERYTHING, FAILED, SUMMED = -1, -2, {"o": "s", "a": "t"}
FILL = """INSERT INTO telemetry_rollup
(agent_id, grain, bucket, series_id, n, first_time, attempts, duration_us, recovery_us)
SELECT {whose}, grain, bucket, {series}, SUM(n), SUM(first_time), SUM(attempts), SUM(duration_us), SUM(recovery_us)
FROM telemetry_rollup WHERE agent_id = 0 AND series_id IN ({parts}) GROUP BY grain, bucket"""


def fill(apps, schema_editor):
    series = apps.get_model("telemetry", "Series")
    parts = defaultdict(list)
    rows = series.objects.filter(agent_id=0, kind__in=SUMMED)
    columns = ("pk", "kind", "tool_id", "failure_class", "outcome", "recovered_by")
    for pk, kind, tool, failure_class, outcome, recovered_by in rows.values_list(*columns):
        parts[SUMMED[kind], EVERYTHING, 0, failure_class, "", outcome, recovered_by].append(pk)
        if kind == "o" and failure_class:
            parts["u", FAILED, tool, "", "", "", ""].append(pk)
    for words, ids in parts.items():
        names = ("kind", "agent_id", "tool_id", "failure_class", "code", "outcome", "recovered_by")
        made = id_of_words(*words)
        series.objects.create(pk=made, **dict(zip(names, words, strict=True)))
        with schema_editor.connection.cursor() as cursor:
            cursor.execute(FILL.format(whose=words[1], series=made, parts=", ".join(map(str, ids))))


def drop(apps, schema_editor):
    apps.get_model("telemetry", "Series").objects.filter(agent_id__lt=0).delete()
    with schema_editor.connection.cursor() as cursor:
        cursor.execute("DELETE FROM telemetry_rollup WHERE agent_id < 0")


class Migration(migrations.Migration):

    dependencies = [
        ("telemetry", "0010_backfills"),
    ]

    operations = [migrations.RunPython(fill, drop)]
