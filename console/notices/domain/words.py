"""What a notice may say: a closed set of short values, and what of hostile text may travel."""

import re
import unicodedata
from dataclasses import asdict, dataclass

from console.kit.clean import clean_text

LONGEST = 200
LONGEST_LINK = 2000


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """The values of a notice. There is no place for arguments, results or messages of tools, on purpose."""

    ref: str = ""  # C-4182
    title: str = ""  # the case's own title: hostile text
    tool: str = ""
    queue: str = ""
    agent: str = ""
    name: str = ""  # a breaker, or the failure class of a spike
    by: str = ""  # who did it
    state: str = ""  # the word for how it ended or stands

    def kept(self) -> dict[str, str]:
        """Give the values that are there, short and on one line each."""
        return {name: plain(value) for name, value in asdict(self).items() if value}


def plain(text: str, *, limit: int = LONGEST) -> str:
    """Give text on one line without what steers a terminal, a mail header or the direction of writing."""
    text = clean_text(text, limit=4 * limit)
    text = "".join(" " if char.isspace() else char for char in text)
    text = "".join(char for char in text if unicodedata.category(char) not in {"Cc", "Cf", "Cs", "Co", "Cn"})
    text = " ".join(text.split())
    return text if len(text) <= limit else text[: limit - 1] + "…"


def unlinked(text: str) -> str:
    """Give text that no reader turns into a link: a title must not send anybody anywhere."""
    text = re.sub(r":(?=//)", "\u2236", text)
    return re.sub(r"(?i)\b(www)\.", "\\1\u2024", text)


def for_slack(text: str) -> str:
    """Give text that neither Slack nor Mattermost reads as markup, a mention or a link."""
    text = unlinked(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    text = text.replace("@", "@\u200b").replace("*", "\u2217").replace("~", "\u223c").replace("`", "\u02cb")
    text = text.replace("[", "\uff3b").replace("]", "\uff3d")
    return re.sub(r"(?<![^\W_])_|_(?![^\W_])", "\u02cd", text)


def inside(link: str) -> str:
    """Give a link that leads to a page of this console; the first page where it would lead elsewhere or has no end."""
    fine = re.fullmatch(r"/(?![/\\])[^\s\\<>|\"]*", link) and len(link) <= LONGEST_LINK
    return link if fine else "/"
