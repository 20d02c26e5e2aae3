from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ("telemetry", "0011_sums_over_tools"),
    ]

    operations = [
        migrations.CreateModel(
            name="Uncounted",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("tally", models.BinaryField()),
            ],
        ),
    ]
