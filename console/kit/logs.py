"""Log lines: JSON for machines, one plain line for a person at a terminal."""

import structlog

_SHARED: list[structlog.typing.Processor] = [
    structlog.contextvars.merge_contextvars,
    structlog.stdlib.add_log_level,
    structlog.stdlib.add_logger_name,
    structlog.processors.TimeStamper(fmt="iso", utc=True),
]

# Frames without their local variables: those hold keys and what agents sent.
_FRAMES = structlog.processors.ExceptionRenderer(
    structlog.tracebacks.ExceptionDictTransformer(show_locals=False)
)


class JsonLines(structlog.stdlib.ProcessorFormatter):
    """One JSON object a line, with whatever context was bound."""

    def __init__(self) -> None:
        """Chain the processors of this shape."""
        super().__init__(
            foreign_pre_chain=_SHARED,
            processors=[
                structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                _FRAMES,
                structlog.processors.JSONRenderer(),
            ],
        )


class PlainLines(structlog.stdlib.ProcessorFormatter):
    """Time, level, words; no colour where nobody looks."""

    def __init__(self) -> None:
        """Chain the processors of this shape."""
        super().__init__(
            foreign_pre_chain=_SHARED,
            processors=[
                structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                structlog.dev.ConsoleRenderer(
                    colors=False, exception_formatter=structlog.dev.plain_traceback
                ),
            ],
        )
