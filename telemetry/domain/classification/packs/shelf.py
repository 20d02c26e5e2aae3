"""All packs, one line a file."""

from telemetry.domain.classification.packs import chat, cloud, commerce_cn, databases, devtools, models, payments, saas, trading, travel, web
from telemetry.domain.classification.packs.pack import Pack

PACKS: tuple[Pack, ...] = (
    *payments.PACKS,
    *chat.PACKS,
    *cloud.PACKS,
    *databases.PACKS,
    *models.PACKS,
    *trading.PACKS,
    *commerce_cn.PACKS,
    *travel.PACKS,
    *saas.PACKS,
    *devtools.PACKS,
    *web.PACKS,
)
