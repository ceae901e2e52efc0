"""Players that ask a language model through an OpenAI-compatible HTTP endpoint (`sengoku[llm]`)."""

from sengoku.bots.llm.player import LlmPlayer
from sengoku.bots.llm.settings import LlmSettings

__all__ = ["LlmPlayer", "LlmSettings"]
