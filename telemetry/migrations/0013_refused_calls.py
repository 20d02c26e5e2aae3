from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("telemetry", "0012_uncounted"),
    ]

    operations = [
        migrations.AddField(
            model_name="breaker",
            name="not_permitted",
            field=models.BigIntegerField(default=0),
        ),
    ]
