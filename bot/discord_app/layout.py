"""The building blocks of every message: text, pictures, buttons and menus as layout components.

Messages are built of Discord's layout components ("Components V2"). They keep a picture where it was put,
between text and controls, also after an edit, and give it alt text of its own; classic attachments move
about when a message is edited. In return all text has to be a component too.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import discord

# Discord's limits
TEXT_MAX_CHARACTERS = 4000  # all text of a message together
ALT_MAX_CHARACTERS = 1024
LABEL_MAX_CHARACTERS = 80
OPTION_MAX_CHARACTERS = 100
ROW_MAX_BUTTONS = 5
MENU_MAX_OPTIONS = 25

# For edits of messages without content, from which discord.py leaves out the client's own setting.
NO_PINGS = discord.AllowedMentions.none()

Button = discord.ui.Button[Any]
Select = discord.ui.Select[Any]
Row = discord.ui.ActionRow[Any]


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture in a message. Without ``data`` it is one that the message already has as an attachment."""

    filename: str
    alt: str
    data: bytes = field(default=b"", repr=False)

    def file(self) -> discord.File:
        """Return a new upload: a file object can be sent only once."""
        return discord.File(io.BytesIO(self.data), filename=self.filename, description=self.alt)


Part = str | Picture | discord.ui.Item[Any]


class MessageLayout(discord.ui.LayoutView):
    """The parts of a message from top to bottom. Empty text is left out."""

    def __init__(self, *parts: Part) -> None:
        super().__init__(timeout=None)
        for part in parts:
            if isinstance(part, Picture):
                gallery: discord.ui.MediaGallery[MessageLayout] = discord.ui.MediaGallery()
                gallery.add_item(media=f"attachment://{part.filename}", description=part.alt)
                self.add_item(gallery)
            elif isinstance(part, str):
                if part:
                    self.add_item(discord.ui.TextDisplay(part))
            else:
                self.add_item(part)
        self.stop()  # the router recognises presses by custom_id, so discord.py need not keep the view


class Message:
    """A message that can be sent any number of times: every use gets a new view and new files."""

    def __init__(self, *parts: Part) -> None:
        self._parts = parts

    @property
    def view(self) -> MessageLayout:
        """The layout, for one message."""
        return MessageLayout(*self._parts)

    @property
    def files(self) -> list[discord.File]:
        """The uploads, for one request."""
        return [part.file() for part in self._parts if isinstance(part, Picture) and part.data]


def rows(buttons: Sequence[Button]) -> list[Row]:
    """Return buttons in rows of five."""
    starts = range(0, len(buttons), ROW_MAX_BUTTONS)
    return [discord.ui.ActionRow(*buttons[start : start + ROW_MAX_BUTTONS]) for start in starts]


def buttons_below(buttons: Iterable[Button]) -> discord.ui.View:
    """Return buttons for a message of plain content, which can be copied on a phone as it stands."""
    view = discord.ui.View(timeout=None)
    for button in buttons:
        view.add_item(button)
    view.stop()
    return view
