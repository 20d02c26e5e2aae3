"""The first tables of telemetry."""

import django.db.models.deletion
from django.db import migrations, models

from telemetry.migrations._tables import CreateClustered, CreatePartitioned


class Migration(migrations.Migration):

    initial = True

    dependencies = [
    ]

    operations = [
        migrations.CreateModel(
            name='Agent',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=80, unique=True)),
                ('owner_id', models.BigIntegerField(blank=True, null=True)),
                ('made_at', models.DateTimeField()),
                ('webhook_url', models.CharField(blank=True, max_length=500)),
                ('webhook_secret', models.CharField(blank=True, max_length=64)),
            ],
        ),
        migrations.CreateModel(
            name='Breaker',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=200, unique=True)),
                ('scope', models.CharField(max_length=12)),
                ('first_seen_at', models.DateTimeField()),
            ],
        ),
        CreateClustered(
            name='CallKey',
            fields=[
                ('pk', models.CompositePrimaryKey('agent_id', 'call_id', blank=True, editable=False, primary_key=True, serialize=False)),
                ('agent_id', models.BigIntegerField()),
                ('call_id', models.CharField(max_length=128)),
                ('call', models.BigIntegerField()),
                ('rev', models.IntegerField()),
            ],
        ),
        CreateClustered(
            name='Ledger',
            fields=[
                ('pk', models.CompositePrimaryKey('key_id', 'minute', 'what', 'reason', blank=True, editable=False, primary_key=True, serialize=False)),
                ('key_id', models.BigIntegerField()),
                ('minute', models.IntegerField()),
                ('what', models.CharField(max_length=10)),
                ('reason', models.CharField(blank=True, max_length=40)),
                ('n', models.BigIntegerField()),
            ],
        ),
        migrations.CreateModel(
            name='Series',
            fields=[
                ('id', models.BigIntegerField(primary_key=True, serialize=False)),
                ('kind', models.CharField(max_length=1)),
                ('agent_id', models.BigIntegerField()),
                ('failure_class', models.CharField(blank=True, max_length=16)),
                ('code', models.CharField(blank=True, max_length=64)),
                ('outcome', models.CharField(blank=True, max_length=12)),
                ('recovered_by', models.CharField(blank=True, max_length=10)),
            ],
        ),
        migrations.CreateModel(
            name='Tool',
            fields=[
                ('id', models.BigIntegerField(primary_key=True, serialize=False)),
                ('name', models.CharField(max_length=200, unique=True)),
                ('first_seen_at', models.DateTimeField()),
                ('not_found_is_empty', models.BooleanField(null=True)),
            ],
        ),
        migrations.CreateModel(
            name='AgentKey',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key_hash', models.CharField(max_length=64, unique=True)),
                ('prefix', models.CharField(max_length=8)),
                ('label', models.CharField(blank=True, max_length=80)),
                ('made_at', models.DateTimeField()),
                ('made_by', models.CharField(blank=True, max_length=160)),
                ('last_used_at', models.DateTimeField(null=True)),
                ('revoked_at', models.DateTimeField(null=True)),
                ('revoked_by', models.CharField(blank=True, max_length=160)),
                ('agent', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='keys', to='telemetry.agent')),
            ],
        ),
        migrations.CreateModel(
            name='BreakerCommand',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('command_id', models.UUIDField(unique=True)),
                ('verb', models.CharField(max_length=12)),
                ('instances', models.JSONField(null=True)),
                ('reason', models.CharField(max_length=400)),
                ('issued_by', models.CharField(max_length=160)),
                ('issued_at', models.DateTimeField()),
                ('expires_at', models.DateTimeField()),
                ('ended_at', models.DateTimeField(null=True)),
                ('breaker', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='commands', to='telemetry.breaker')),
            ],
        ),
        migrations.CreateModel(
            name='BreakerInstance',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('instance', models.CharField(max_length=128)),
                ('boot_id', models.CharField(max_length=64)),
                ('past_boots', models.JSONField(default=list)),
                ('heartbeat_at', models.DateTimeField()),
                ('agent_version', models.CharField(blank=True, max_length=128)),
                ('labels', models.JSONField(default=dict)),
                ('stale_since', models.DateTimeField(null=True)),
                ('agent', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='instances', to='telemetry.agent')),
            ],
        ),
        migrations.CreateModel(
            name='BreakerEvent',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('event_id', models.UUIDField()),
                ('boot_id', models.CharField(max_length=64)),
                ('seq', models.BigIntegerField()),
                ('occurred_at', models.DateTimeField()),
                ('received_at', models.DateTimeField()),
                ('from_state', models.CharField(max_length=12)),
                ('to_state', models.CharField(max_length=12)),
                ('reason', models.CharField(max_length=16)),
                ('flags', models.JSONField(default=list)),
                ('detail', models.JSONField(default=dict)),
                ('agent', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='telemetry.agent')),
                ('breaker', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='events', to='telemetry.breaker')),
                ('instance', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='events', to='telemetry.breakerinstance')),
            ],
        ),
        migrations.CreateModel(
            name='BreakerAck',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('status', models.CharField(max_length=12)),
                ('state', models.CharField(blank=True, max_length=12)),
                ('at', models.DateTimeField()),
                ('detail', models.CharField(blank=True, max_length=400)),
                ('command', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='acks', to='telemetry.breakercommand')),
                ('instance', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='telemetry.breakerinstance')),
            ],
        ),
        migrations.CreateModel(
            name='BreakerPart',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('tool', models.CharField(blank=True, max_length=200)),
                ('state', models.CharField(max_length=12)),
                ('since', models.DateTimeField()),
                ('boot_id', models.CharField(max_length=64)),
                ('seq', models.BigIntegerField()),
                ('missing', models.JSONField(default=list)),
                ('reason', models.CharField(blank=True, max_length=16)),
                ('open_until', models.DateTimeField(null=True)),
                ('detail', models.JSONField(default=dict)),
                ('breaker', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='parts', to='telemetry.breaker')),
                ('instance', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='parts', to='telemetry.breakerinstance')),
            ],
        ),
        CreateClustered(
            name='Rollup',
            fields=[
                ('pk', models.CompositePrimaryKey('grain', 'bucket', 'series', blank=True, editable=False, primary_key=True, serialize=False)),
                ('grain', models.SmallIntegerField()),
                ('bucket', models.IntegerField()),
                ('n', models.BigIntegerField()),
                ('first_time', models.BigIntegerField()),
                ('attempts', models.BigIntegerField()),
                ('duration_us', models.BigIntegerField()),
                ('recovery_us', models.BigIntegerField()),
                ('series', models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.DO_NOTHING, to='telemetry.series')),
            ],
        ),
        CreatePartitioned(
            name='Call',
            fields=[
                ('id', models.BigIntegerField(primary_key=True, serialize=False)),
                ('call_id', models.CharField(max_length=128)),
                ('rev', models.IntegerField()),
                ('trace_id', models.CharField(max_length=64)),
                ('bucket', models.IntegerField()),
                ('started_at', models.DateTimeField()),
                ('duration_us', models.BigIntegerField()),
                ('attempts', models.IntegerField()),
                ('recovery_us', models.BigIntegerField()),
                ('detail', models.TextField()),
                ('series', models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.DO_NOTHING, to='telemetry.series')),
            ],
        ),
        CreateClustered(
            name='Sketch',
            fields=[
                ('pk', models.CompositePrimaryKey('grain', 'bucket', 'tool', 'agent_id', 'kind', blank=True, editable=False, primary_key=True, serialize=False)),
                ('grain', models.SmallIntegerField()),
                ('bucket', models.IntegerField()),
                ('agent_id', models.BigIntegerField()),
                ('kind', models.CharField(max_length=10)),
                ('bins', models.TextField()),
                ('tool', models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.DO_NOTHING, to='telemetry.tool')),
            ],
        ),
        migrations.AddField(
            model_name='series',
            name='tool',
            field=models.ForeignKey(db_constraint=False, on_delete=django.db.models.deletion.CASCADE, related_name='series', to='telemetry.tool'),
        ),
        migrations.AddIndex(
            model_name='breakercommand',
            index=models.Index(fields=['ended_at', 'expires_at'], name='telemetry_command_live'),
        ),
        migrations.AddConstraint(
            model_name='breakerinstance',
            constraint=models.UniqueConstraint(fields=('agent', 'instance'), name='telemetry_one_instance'),
        ),
        migrations.AddIndex(
            model_name='breakerevent',
            index=models.Index(fields=['breaker', '-occurred_at', '-id'], name='telemetry_event_breaker'),
        ),
        migrations.AddIndex(
            model_name='breakerevent',
            index=models.Index(fields=['-occurred_at', '-id'], name='telemetry_event_time'),
        ),
        migrations.AddConstraint(
            model_name='breakerevent',
            constraint=models.UniqueConstraint(fields=('agent', 'event_id'), name='telemetry_one_event'),
        ),
        migrations.AddConstraint(
            model_name='breakerack',
            constraint=models.UniqueConstraint(fields=('command', 'instance'), name='telemetry_one_ack'),
        ),
        migrations.AddConstraint(
            model_name='breakerpart',
            constraint=models.UniqueConstraint(fields=('breaker', 'instance'), name='telemetry_one_part'),
        ),
        migrations.AddIndex(
            model_name='call',
            index=models.Index(fields=['series', 'id'], name='telemetry_call_series'),
        ),
        migrations.AddIndex(
            model_name='call',
            index=models.Index(fields=['trace_id'], name='telemetry_call_trace'),
        ),
        migrations.AddConstraint(
            model_name='series',
            constraint=models.UniqueConstraint(fields=('kind', 'agent_id', 'tool', 'failure_class', 'code', 'outcome', 'recovered_by'), name='telemetry_one_series'),
        ),
    ]
