"""Which program a shell command's exit code belongs to, and what it was asked to work on."""

import re
from dataclasses import dataclass
from typing import Any

from telemetry.domain.classification.plain import clip, key, names, some
from telemetry.domain.classification.shell_table import SUBCOMMANDS, WRAPPERS
from telemetry.domain.classification.sight import Sight

_TOKEN = re.compile(r"'[^']{0,2000}'|\"[^\"]{0,2000}\"|[^\s'\"]+")
_STAGES = re.compile(r"\|\||&&|;|\n")
_NAMES = names("command cmd script shell bash commandline argv args run input code")


@dataclass(frozen=True, slots=True)
class Command:
    """A command line as far as its exit code needs it."""

    heads: tuple[str, ...] = ()
    """The program, and the program with its subcommand (`git-push`), of the last stage of the last pipeline."""
    operands: int = 0
    text: str = ""

    @property
    def goes_on(self) -> bool:
        """True for programs that do the rest when one operand fails."""
        return bool(set(self.heads) & GOES_ON)

    @property
    def fetches(self) -> bool:
        """True for programs that print what a server answered."""
        return bool(set(self.heads) & {"curl", "http", "https", "xh", "gh-api", "httpie"})

    @property
    def prints(self) -> bool:
        """True for programs that only repeat what a file or the caller says."""
        return bool(
            set(self.heads)
            & {"echo", "printf", "cat", "head", "tail", "sed", "less", "more", "journalctl", "dmesg"}
        )

    @property
    def tests(self) -> bool:
        """True for test runners, whose failures are their answer."""
        return bool(set(self.heads) & TESTS)


TESTS = names("pytest jest vitest mocha npm-test go-test cargo-test rspec phpunit tox mvn gradle")
GOES_ON = names(
    """
    find ls cat rm cp mv du stat wc head tail chmod chown mkdir touch tar grep egrep rg file md5sum
    sha256sum gzip unlink rmdir ln zip tree sha1sum scp gunzip install
    """
)


def command_of(sight: Sight) -> Command:
    """The command of the call: from its arguments, else from the tool's name."""
    for name, value in some(sight.args.items(), 20):
        if key(name) in _NAMES and (text := _line(value)):
            return parsed(text)
    words = sight.words
    heads = [words[0], "-".join(words[:2])] if words else []
    return Command(heads=tuple(heads))


def _line(value: Any) -> str:
    if isinstance(value, list | tuple):
        return " ".join(clip(part, 300) for part in some(value, 60))
    if isinstance(value, dict):
        return ""
    return clip(value, 4_000).strip()


def parsed(text: str, depth: int = 0) -> Command:
    """The last stage of the last pipeline, its wrappers taken off."""
    bare = re.sub(r"'[^']{0,2000}'|\"[^\"]{0,2000}\"", lambda found: found.group(0).translate(_HIDE), text)
    last = [stage for stage in _STAGES.split(bare) if stage.strip()][-1:] or [bare]
    stage = last[0].split("|")[-1].translate(_SHOW)
    tokens = [token for token in _TOKEN.findall(stage) if not token.startswith(("2>", ">", "<", "&>", "1>"))]
    tokens = _unwrapped(tokens)
    if not tokens:
        return Command(text=text)
    if (
        depth < 2
        and key(tokens[0].rsplit("/", 1)[-1]) in {"bash", "sh", "zsh", "dash"}
        and "-c" in tokens[:-1]
    ):
        return parsed(tokens[tokens.index("-c") + 1].strip("'\""), depth + 1)
    head = tokens[0].strip("'\"").rsplit("/", 1)[-1].lower().removesuffix(".exe")
    heads = [head]
    rest = [token for token in tokens[1:] if not token.startswith("-")]
    if head in {"python", "python3"} and "-m" in tokens[:-1]:
        heads.insert(0, tokens[tokens.index("-m") + 1].lower())
    if head in {"npx", "uvx", "poetry", "uv", "pipx", "bundle", "pnpm", "yarn"} and rest:
        heads.insert(0, (rest[1] if rest[0] in {"run", "exec"} and len(rest) > 1 else rest[0]).lower())
    if head in SUBCOMMANDS | {"gh"} and rest:
        heads.insert(0, f"{head}-{rest[0].lower()}")
    operands = len(rest) - (
        1 if head in {"cp", "mv", "ln", "chmod", "chown", "grep", "egrep", "install", "scp"} else 0
    )
    return Command(
        heads=tuple(heads), operands=0 if any("*" in token for token in rest) else max(operands, 0), text=text
    )


_HIDE = {ord("|"): "\ue000", ord(";"): "\ue001", ord("&"): "\ue002", ord("\n"): "\ue003"}
_SHOW = {0xE000: "|", 0xE001: ";", 0xE002: "&", 0xE003: "\n"}


def _unwrapped(tokens: list[str]) -> list[str]:
    """Without variable assignments, `sudo`, `timeout 20`, `env A=b`."""
    while tokens:
        head = tokens[0].rsplit("/", 1)[-1]
        if (
            re.match(r"^[A-Za-z_]\w*=", tokens[0])
            or head in WRAPPERS
            or head in {"!", "(", "{", "if", "then", "do"}
        ):
            tokens = tokens[1:]
        elif head == "timeout":
            rest = tokens[1:]
            while rest and rest[0].startswith("-"):
                rest = rest[2:] if rest[0] in {"-s", "-k"} else rest[1:]
            tokens = rest[1:]
        elif tokens[0].startswith("-"):
            tokens = tokens[1:]
        else:
            return tokens
    return tokens


def output_of(sight: Sight) -> str:
    """Standard output, wherever the reporter put it."""
    body = sight.evidence.body
    if sight.stdout or not isinstance(body, str | dict):
        return sight.stdout
    return clip(body) if isinstance(body, str) else clip(body.get("stdout"))
