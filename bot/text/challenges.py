"""The card of a challenge in words: who is in, how far they are, and who has won."""

from __future__ import annotations

from bot.service import ChallengeStanding, ChallengeView
from bot.storage import Status
from bot.text import Texts
from bot.text.lists import names_text
from bot.text.names import deal_names, isolated


def challenge_title(texts: Texts, view: ChallengeView) -> str:
    """Return who challenges whom."""
    challenge = view.challenge
    if not challenge.creator_id:  # who made it asked to be forgotten
        return texts("challenge-title-nobody")
    creator = mention(challenge.creator_id)
    others = [
        mention(entrant.user_id)
        for entrant in challenge.participants
        if entrant.user_id != challenge.creator_id
    ]
    if challenge.is_open or not others:
        return texts("challenge-title-open", creator=creator)
    return texts("challenge-title", creator=creator, friends=names_text(texts, others))


def challenge_text(texts: Texts, view: ChallengeView) -> str:
    """Return the rules, a line for each player, and how it ended where it has; nothing about the cards."""
    names = deal_names(texts, view.deal)
    lines = [texts("challenge-deal", game=names["game"], rules=names["rules"]), ""]
    lines += [_line(texts, contender) for contender in view.contenders]
    if not view.contenders:
        lines.append(texts("challenge-empty"))
    if view.winners:
        best = next(one.score for one in view.contenders if one.user_id in view.winners)
        key = "challenge-winner" if len(view.winners) == 1 else "challenge-tie"
        names_won = names_text(texts, list(map(mention, view.winners)))
        lines += ["", texts(key, names=names_won, score=best)]
    if view.is_final:
        lines += ["", texts("challenge-code", code=isolated(view.deal.code))]
    return "\n".join(lines)


def challenge_note(texts: Texts, view: ChallengeView) -> str:
    """Return who can still join, or that only those who were named play."""
    if view.joins_until_ms:
        return texts("challenge-open", time=str(view.joins_until_ms // 1000))
    if view.is_final:
        return texts("challenge-final")
    return texts("challenge-closed")


def mention(user_id: int) -> str:
    """Return a user as Discord shows them by the name that the reader knows; it pings nobody by itself."""
    return f"<@{user_id}>"


def _line(texts: Texts, contender: ChallengeStanding) -> str:
    words: dict[str, str | int] = {
        "name": mention(contender.user_id),
        "score": contender.score,
        "moves": contender.moves,
        "rank": contender.rank,
    }
    if not contender.has_begun:
        return texts("challenge-waiting", **words)
    if not contender.has_ended:
        return texts("challenge-playing", **words)
    if contender.status is Status.GIVEN_UP:
        return texts("challenge-given-up", **words)
    return texts("challenge-ended", **words)
