"""Which kind of mention it is: pronoun, name or nominal, by a small list and by capitals."""

from __future__ import annotations

from functools import lru_cache

_PRONOUNS = {
    "English": (
        "i me my mine myself you your yours yourself yourselves he him his himself she her hers "
        "herself it its itself we us our ours ourselves they them their theirs themselves this "
        "that these those who whom whose which one"
    ),
    "German": (
        "ich mich mir du dich dir er ihn ihm sie ihr es wir uns euch ihnen sich sein seine seinen seiner"
    ),
    "French": "je me moi tu te toi il elle lui nous vous ils elles eux leur leurs se soi",
    "Spanish": "yo mi ti él ella ello nosotros vosotros ellos ellas lo la los las le les su sus",
    "Italian": "io lui lei noi voi loro",
    "Portuguese": "eu ele ela nós eles elas",
    "Dutch": "hij zij hem haar wij ons hun",
}
PRONOUNS = frozenset(" ".join(_PRONOUNS.values()).split())
"""Personal, possessive, reflexive and a few demonstrative pronouns of some languages with alphabets."""


@lru_cache(maxsize=4096)
def kind_of(text: str) -> str:
    """``pronoun``, ``name`` (its words begin with capitals) or ``nominal``; empty where the words are not known."""
    words = text.split()
    if not words:
        return ""
    if len(words) == 1 and words[0].lower() in PRONOUNS:
        return "pronoun"
    lettered = [word for word in words if word[:1].isalpha()]
    capitals = sum(word[0].isupper() for word in lettered)
    return "name" if lettered and 2 * capitals > len(lettered) else "nominal"
