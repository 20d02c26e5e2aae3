"""The two kinds of model: what we send is closed, what we receive may grow."""

from typing import Any, ClassVar, Literal, TypeAlias

from pydantic import AliasChoices, BaseModel, ConfigDict, Field

from switchboard.vocabulary import Effect, FailureClass, ItemStatus

# A word of the vocabulary: the enum's member, or the plain text it stands for.
EffectWord: TypeAlias = Effect | Literal["read", "idempotent_write", "write"]
ClassWord: TypeAlias = (
    FailureClass
    | Literal["invalid_args", "transient", "empty", "hard", "partial", "unknown_outcome", "internal"]
)
ItemWord: TypeAlias = ItemStatus | Literal["succeeded", "failed", "skipped", "unknown"]
Json: TypeAlias = Any


class Sent(BaseModel):
    """Something we send. A misspelt field is an error where it is written, not at the console."""

    model_config: ClassVar[ConfigDict] = ConfigDict(
        extra="forbid", validate_by_name=True, validate_by_alias=True, serialize_by_alias=True
    )

    def wire(self) -> dict[str, Any]:
        """Give the JSON-ready mapping, without the fields that were left out."""
        return self.model_dump(mode="json", exclude_none=True)


class Received(BaseModel):
    """Something the console says. Fields this version does not know are ignored."""

    model_config: ClassVar[ConfigDict] = ConfigDict(
        extra="ignore", frozen=True, validate_by_name=True, validate_by_alias=True
    )


class Failure(Sent):
    """What failed, in the words that a model, a rule and a person can act on."""

    class_: ClassWord | None = Field(
        default=None, validation_alias=AliasChoices("class_", "class"), serialization_alias="class"
    )
    code: str | None = None
    field: str | None = None
    constraint: str | None = None
    received: Json = None
    hint: str | None = None
    message: str | None = None


class ItemResult(Sent):
    """How one item of a batch ended."""

    key: str
    status: ItemWord
    failure: Failure | None = None
