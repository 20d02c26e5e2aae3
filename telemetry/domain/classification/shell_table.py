"""Exit codes of common commands. Sources: their manual pages, sysexits.h, bash's and timeout's conventions."""

from telemetry.domain.classification.causes import Cause
from telemetry.domain.classification.plain import names

FOUND = Cause.OK
NONE = Cause.NO_RESULTS

EXITS: dict[str, dict[int, Cause]] = {
    "grep egrep fgrep zgrep rg ag ack findstr select-string pcregrep git-grep fd": {1: NONE},
    "diff cmp comm test [ [[ expr colordiff sdiff diff3 bc-compare": {1: FOUND},
    "pgrep pidof pkill lsof fuser which type whereis command getent look crontab git-config-get printenv dpkg-query host nslookup apropos whatis": {
        1: NONE
    },
    "getent": {2: NONE},
    "jq yq": {1: NONE, 4: NONE, 2: Cause.VALIDATION, 3: Cause.VALIDATION, 5: Cause.VALIDATION},
    "pytest py.test": {5: NONE, 1: FOUND, 4: Cause.VALIDATION, 3: Cause.CRASH},
    "eslint ruff flake8 pylint mypy pyright tsc shellcheck black prettier isort bandit hadolint yamllint rubocop golangci-lint semgrep markdownlint stylelint pip-audit jest vitest mocha rspec phpunit unittest codespell htmlhint djlint biome ktlint detekt swiftlint clippy vale lychee tfsec checkov hlint nosetests tox": {
        1: FOUND
    },
    "tsc stylelint phpunit": {2: FOUND},
    "git-diff git-merge-base-is-ancestor npm-audit npm-outdated yarn-outdated yarn-audit pip-check terraform-fmt go-vet systemctl-is-active systemctl-is-enabled npm-test yarn-test go-test cargo-test cargo-clippy gofmt-l git-check-ignore": {
        1: FOUND
    },
    "cargo-test": {101: FOUND},
    "terraform-plan tofu-plan": {2: FOUND},
    "terraform-fmt systemctl-status systemctl-is-active service-status": {3: FOUND},
    "systemctl-status": {4: Cause.NOT_FOUND},
    "zip": {12: NONE},
    "unzip": {11: NONE, 9: Cause.VALIDATION},
    "git": {129: Cause.VALIDATION},
    "aws": {252: Cause.VALIDATION, 253: Cause.UNAUTHORIZED},
    "gcloud": {2: Cause.VALIDATION},
    "az": {2: Cause.VALIDATION, 3: Cause.NOT_FOUND},
    "gh": {4: Cause.UNAUTHORIZED},
    "psql": {2: Cause.NETWORK_UNSENT},
    "wget": {4: Cause.NETWORK_UNSENT, 5: Cause.REFUSED, 6: Cause.UNAUTHORIZED, 2: Cause.VALIDATION},
    "rsync": {
        1: Cause.VALIDATION,
        10: Cause.NETWORK,
        12: Cause.NETWORK,
        30: Cause.TIMEOUT,
        35: Cause.TIMEOUT_UNSENT,
    },
    "dig": {9: Cause.TIMEOUT, 1: Cause.VALIDATION, 8: Cause.NOT_FOUND},
    "ping": {1: Cause.BUSY, 2: Cause.NETWORK_UNSENT},
    "apt apt-get": {100: Cause.REFUSED},
    "curl": {
        1: Cause.VALIDATION,
        2: Cause.VALIDATION,
        3: Cause.VALIDATION,
        4: Cause.UNSUPPORTED,
        5: Cause.NETWORK_UNSENT,
        6: Cause.NETWORK_UNSENT,
        7: Cause.NETWORK_UNSENT,
        9: Cause.FORBIDDEN,
        16: Cause.NETWORK,
        18: Cause.NETWORK,
        23: Cause.STORAGE_FULL,
        26: Cause.NOT_FOUND,
        28: Cause.TIMEOUT,
        35: Cause.NETWORK_UNSENT,
        37: Cause.NOT_FOUND,
        43: Cause.CRASH,
        45: Cause.NETWORK_UNSENT,
        47: Cause.REFUSED,
        51: Cause.REFUSED,
        52: Cause.NETWORK,
        55: Cause.NETWORK,
        56: Cause.NETWORK,
        58: Cause.REFUSED,
        60: Cause.REFUSED,
        61: Cause.SERVER_ERROR,
        63: Cause.VALIDATION,
        67: Cause.UNAUTHORIZED,
        68: Cause.NOT_FOUND,
        69: Cause.FORBIDDEN,
        70: Cause.STORAGE_FULL,
        77: Cause.NOT_FOUND,
        78: Cause.NOT_FOUND,
        79: Cause.NETWORK,
        83: Cause.REFUSED,
        92: Cause.NETWORK,
        95: Cause.NETWORK,
        96: Cause.NETWORK_UNSENT,
        97: Cause.NETWORK_UNSENT,
    },
    "ffmpeg": {1: Cause.VALIDATION},
    "robocopy": {**dict.fromkeys(range(1, 8), FOUND), 16: Cause.VALIDATION},
    "rclone": {2: Cause.VALIDATION, 3: Cause.NOT_FOUND, 4: Cause.NOT_FOUND, 9: FOUND},
    "cypress mocha": dict.fromkeys(range(1, 100), FOUND),
    "flock": {1: Cause.CONTENTION},
    "restic": {10: Cause.NOT_FOUND, 11: Cause.CONTENTION, 12: Cause.UNAUTHORIZED},
}

PARTLY: dict[str, frozenset[int]] = {
    "rsync": frozenset({23, 24}),
    "restic": frozenset({3}),
    "borg": frozenset({1}),
    "robocopy": frozenset({9, 11, 13, 15}),
    "zip": frozenset({18}),
    "7z": frozenset({1}),
}
"""Exit codes of copies and backups that were made, but without some of the files."""

BY_HEAD: dict[str, dict[int, Cause]] = {}
for _heads, _codes in EXITS.items():
    for _head in _heads.split():
        BY_HEAD.setdefault(_head, {}).update(_codes)

SIGNALS: dict[int, tuple[Cause, int]] = {
    1: (Cause.SERVER_ERROR, 50),
    2: (Cause.SERVER_ERROR, 55),
    4: (Cause.CRASH, 90),
    5: (Cause.CRASH, 88),
    6: (Cause.CRASH, 88),
    7: (Cause.CRASH, 90),
    8: (Cause.CRASH, 90),
    9: (Cause.SERVER_ERROR, 66),
    10: (Cause.CRASH, 88),
    11: (Cause.CRASH, 92),
    13: (Cause.SERVER_ERROR, 40),
    14: (Cause.TIMEOUT, 70),
    15: (Cause.SERVER_ERROR, 66),
    24: (Cause.TIMEOUT, 70),
    31: (Cause.FORBIDDEN, 70),
}
"""A killed process (9, 15) may have done half of its work; a crashed one is the tool's own fault."""

SYSEXITS: dict[int, Cause] = {
    64: Cause.VALIDATION,
    65: Cause.VALIDATION,
    66: Cause.NOT_FOUND,
    67: Cause.NOT_FOUND,
    68: Cause.NETWORK_UNSENT,
    69: Cause.BUSY,
    70: Cause.CRASH,
    75: Cause.BUSY,
    77: Cause.FORBIDDEN,
    78: Cause.PRECONDITION,
}

SILENCE_IS_EMPTY = names(
    """
    find ls locate git-log git-grep git-branch git-tag git-stash git-ls-files git-shortlog git-reflog git-
    remote git-rev-list grep egrep fgrep rg ag ack jq yq ps pgrep cat head tail sed awk gawk sort uniq cut
    psql mysql sqlite3 duckdb kubectl docker podman aws az gcloud gh glab dig host lsof ss netstat apt-cache
    fd zgrep comm column tree du xargs journalctl dmesg last who atq crontab redis-cli mongosh clickhouse-
    client bq rclone mdfind history printenv docker-ps helm terraform-state systemctl-list-units apropos
    getent pip-list npm-ls diff-so jobs ipcs lsblk wc less more strings tr nl tac mc s3cmd gsutil
    """
)
"""Commands whose blank output with exit 0 means that nothing was found."""

WRAPPERS = names(
    """
    sudo time nice nohup env stdbuf ionice setsid doas command exec builtin eval unbuffer script strace
    ltrace caffeinate watch chronic
    """
)
SUBCOMMANDS = names(
    """
    git npm yarn pnpm pip pip3 terraform tofu systemctl service cargo go docker helm kubectl dotnet gofmt
    """
)
