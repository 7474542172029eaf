"""The obvious way to draw a table, for comparison: RGBA cards blended one by one, saved by Pillow's defaults.

It lays the same cards in the same places as ``bot.render.image``, and leaves marks and captions out, so it
does a little less work.
"""

from __future__ import annotations

from functools import lru_cache
from importlib.resources import files
from io import BytesIO

from PIL import Image

from bot.render.layout import Layout, first_visible, layout
from engine.table import Pile, Table

_FELT = (29, 94, 74, 255)


def draw_table_naively(table: Table) -> bytes:
    """Return the cards of a table as a PNG file in true colour."""
    plan = layout(table)
    picture = Image.new("RGBA", (plan.width, plan.height), _FELT)
    for pile in table.piles:
        _lay_pile(picture, pile, plan)
    file = BytesIO()
    picture.save(file, "PNG")
    return file.getvalue()


def _lay_pile(picture: Image.Image, pile: Pile, plan: Layout) -> None:
    if not pile.cards:
        picture.alpha_composite(_card("slot", plan.card.width), plan.slot(pile.name).corners[:2])
    for index in range(first_visible(pile), len(pile.cards)):
        card = pile.cards[index]
        face = _card("back" if card is None else str(card), plan.card.width)
        picture.alpha_composite(face, plan.box(pile.name, index).corners[:2])


@lru_cache(maxsize=256)
def _card(name: str, width: int) -> Image.Image:
    with (files("cards_png") / "classic" / str(width) / f"{name}.png").open("rb") as file:
        return Image.open(file).convert("RGBA")
