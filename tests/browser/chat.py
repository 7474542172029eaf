"""A person at SimCord's preview page: types slash commands, reads the answers, looks at the pictures.

    with open_browser(chromium) as browser:
        chat = Chat.open(browser, url, width=400, height=800)
        chat.view_as("ola")
        answer = chat.slash("move", **{"from": "3", "to": "5"})      # typed blind
        answer = chat.slash("move", **{"from": Pick("9♠ on 10♥")})   # picked from the list
        assert answer.ephemeral or chat.picture() != before

What the page does differently from Discord, and this class copes with: Enter in an option with a list takes
the list's first line, so a list is closed with Escape before; a command with only optional options opens a
list of them; and Enter is lost while a list is being fetched. The page always speaks as a user whose
Discord is in American English: there is no locale to choose.
"""

from __future__ import annotations

import base64
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self, TypeVar

from playwright.sync_api import Browser, ConsoleMessage, Error, Locator, Page, sync_playwright

TIMEOUT_S = 60.0  # a channel full of pictures takes the page half a minute to show, on a busy machine
POLL_MS = 15
CLICK_TIMEOUT_MS = 500

# The page's policy forbids eval, and with it Playwright's wait_for_function: hence the polling from here.
_STATUS = """() => {
    const status = window.simcordPreview;
    const field = document.activeElement?.dataset?.option || null;
    return status && {
        ready: status.ready && !status.pendingAction && status.awaitingRevision === null,
        viewer: status.viewerId,
        composer: status.commandPicker.state,
        listed: status.commandPicker.autocomplete.option !== field
            || status.commandPicker.autocomplete.state !== "loading",
    };
}"""
_MESSAGES = """() => [...document.querySelectorAll("#channel-message-list > article")].map((article) => {
    const picture = article.querySelector("img.gallery-image, .media-lightbox-trigger img");
    const used = article.querySelector(".message-interaction-header");
    const around = "header, time, [role=toolbar], .message-interaction-header, .message-ephemeral-note";
    const parts = [...article.children].filter((part) => !part.matches(around));
    return {
        id: article.dataset.messageId,
        used: used ? used.textContent : "",
        text: parts.map((part) => part.innerText).join("\\n").trim(),
        ephemeral: Boolean(article.querySelector(".message-ephemeral-note")),
        picture: picture && picture.complete && picture.naturalWidth ? picture.src : null,
        alt: picture ? picture.alt : "",
        drawn: !picture || Boolean(picture.complete && picture.naturalWidth),
    };
})"""
_BYTES = """async (address) => {
    const bytes = new Uint8Array(await (await fetch(address)).arrayBuffer());
    return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
}"""

Found = TypeVar("Found")


@dataclass(frozen=True, slots=True)
class Pick:
    """An option's value taken from its list: the first line with ``text`` in it.

    ``typed`` is typed first, or else the first word of ``text``.
    """

    text: str
    typed: str = ""


Value = str | int | Pick


@dataclass(frozen=True, slots=True)
class Answer:
    """A message as it is shown: ``used`` is the line above it, ``picture`` where the page has its picture."""

    id: str
    used: str
    text: str
    ephemeral: bool
    picture: str | None
    alt: str
    drawn: bool


class Refused(Exception):
    """The page did not send the command; the text is what it says beside the option."""


class Chat:
    """The page, as one person sees it. ``faults`` are its script errors so far."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.faults: list[str] = []
        page.on("pageerror", self._note_error)
        page.on("console", self._note_console)

    @classmethod
    def open(cls, browser: Browser, url: str, *, width: int = 1280, height: int = 900) -> Self:
        """Open the page at ``url`` in a window of that many pixels, and wait until it can be typed in."""
        chat = cls(browser.new_page(viewport={"width": width, "height": height}))
        chat.page.goto(url)
        chat.until("the page to be ready", chat._is_ready)
        return chat

    def close(self) -> None:
        """Close the page."""
        self.page.close()

    def resize(self, width: int, height: int) -> None:
        """Give the window another size, in pixels."""
        self.page.set_viewport_size({"width": width, "height": height})
        self.until("the page to settle", self._is_ready)

    def view_as(self, member: str) -> None:
        """Go on as another member."""
        before = (None, self._status()["viewer"])
        picker = self.page.get_by_label("Viewing as")
        if picker.locator("option:checked").inner_text() != member:
            picker.select_option(label=member)
            self.until(f"the view of {member}", lambda: self._status()["viewer"] not in before)
        self.until("the page to settle", self._is_ready)

    def slash(self, command: str, **options: Value) -> Answer:
        """Type a slash command with its options, send it with Enter, and return its answer.

        :raises Refused: when the page does not send it, because an option is missing or out of bounds.
        """
        seen = {message.id for message in self.messages()}
        self._choose_command(command)
        for option, value in options.items():
            self._fill(option, value)
        self.until(f"/{command} to be taken", self._is_sent)
        return self.until(f"an answer to /{command}", lambda: self._newest(seen))

    def suggestions(self, command: str, option: str, typed: str = "", **before: Value) -> list[str]:
        """Return the lines that the list of ``option`` shows once ``typed`` is typed; nothing is sent.

        ``before`` are the options that are filled in first.
        """
        self._choose_command(command)
        for name, value in before.items():
            self._fill(name, value)
        self._await_list(self._field(option), typed)
        lines = self.page.locator(".command-suggestion").all_inner_texts()
        self._leave_command()
        return lines

    def messages(self) -> list[Answer]:
        """Return what is in the channel, oldest first."""
        return [Answer(**found) for found in self.page.evaluate(_MESSAGES)]

    def latest(self) -> Answer:
        """Return the newest message.

        :raises IndexError: when there is none.
        """
        return self.messages()[-1]

    def whispers(self) -> list[Answer]:
        """Return the answers that only this member sees, oldest first."""
        return [message for message in self.messages() if message.ephemeral]

    def picture(self) -> bytes:
        """Return the newest picture, as the file that the bot sent.

        :raises IndexError: when there is none.
        """
        address = [message.picture for message in self.messages() if message.picture][-1]
        return base64.b64decode(self.page.evaluate(_BYTES, address))

    def changed_picture(self, before: bytes) -> bytes:
        """Wait until the newest picture is another one than ``before``; return it."""
        return self.until("another picture", lambda: self._picture_unless(before))

    def click(self, label: str) -> None:
        """Press the newest message's button of that label, and wait until that is done."""
        articles = self.page.locator("#channel-message-list > article")
        articles.get_by_role("button", name=label, exact=True).last.click()
        self.until(f"“{label}” to be done", self._is_ready)

    def screenshot(self, path: Path | str) -> None:
        """Save what the window shows, scrolled to the newest message, as a PNG."""
        articles = self.page.locator("#channel-message-list > article")
        if articles.count():
            articles.last.evaluate("article => article.scrollIntoView({block: 'end'})")
        self.page.screenshot(path=path)

    def until(self, what: str, condition: Callable[[], Found | None]) -> Found:
        """Return what ``condition`` finds, as soon as that is truthy.

        :raises AssertionError: when it takes longer than ``TIMEOUT_S``; it says what the page shows instead.
        """
        deadline = time.monotonic() + TIMEOUT_S
        while time.monotonic() < deadline:
            if found := condition():
                return found
            self.page.wait_for_timeout(POLL_MS)  # lets the page's events through, which time.sleep would not
        shown = self.page.locator("#preview-shell").inner_text()
        raise AssertionError(f"no sign of {what}; script errors: {self.faults}; the page shows:\n{shown}")

    def _choose_command(self, command: str) -> None:
        self._leave_command()
        self.until("the page to settle", self._is_ready)
        composer = self.page.locator("#channel-composer-input")
        composer.fill("")
        composer.press_sequentially(f"/{command}")
        # By its whole name: /draw must not become /drawing because that is listed first.
        self.page.locator(".command-entry").filter(
            has=self.page.locator("strong").get_by_text(f"/{command}", exact=True)
        ).click()
        self.page.locator(".command-chip").wait_for()

    def _leave_command(self) -> None:
        leave = self.page.get_by_label("Exit command mode")
        if leave.count():
            leave.click()

    def _fill(self, option: str, value: Value) -> None:
        field = self._field(option)
        if isinstance(value, Pick):
            self._await_list(field, value.typed or value.text.split()[0])
            self.page.locator(".command-suggestion").filter(has_text=value.text).first.click()
        else:
            field.fill("")
            field.press_sequentially(str(value))

    def _field(self, option: str) -> Locator:
        """Return the field of an option, with the cursor in it; an optional one is asked for first."""
        field = self.page.locator(f".command-option-input[data-option='{option}']")
        self.until(f"a field for {option}", lambda: self._is_asked_for(option, field))
        field.click()
        return field

    def _is_asked_for(self, option: str, field: Locator) -> bool:
        """Take one step towards the field of an option; return whether it is there.

        A list that is fetched for the field before may take the place of the list of options at any moment.
        """
        if field.count():
            return True
        offered = self.page.locator(".command-suggestion:visible").get_by_text(option, exact=True)
        with suppress(Error):
            if offered.count():
                offered.click(timeout=CLICK_TIMEOUT_MS)
            else:
                self.page.locator(".command-ghost").click(timeout=CLICK_TIMEOUT_MS)
        return False

    def _await_list(self, field: Locator, typed: str) -> None:
        field.fill("")
        field.press_sequentially(typed or " ")
        if not typed:  # a list is fetched only when something changes
            field.press("Backspace")
        self.until("the list of choices", lambda: self._status()["listed"] and self._is_ready())

    def _is_sent(self) -> bool:
        """Press Enter unless the command is taken already; return whether it is, and done.

        :raises Refused: when the page has something against an option.
        """
        if not self._is_ready():
            return False
        if self._status()["composer"] != "composing":
            return True
        if errors := self.page.locator(".command-error").all_inner_texts():
            self._leave_command()
            raise Refused("; ".join(errors))
        if self.page.locator(".command-popup:visible").count():
            self.page.keyboard.press("Escape")
        if not self.page.locator(".command-row :focus").count():  # as after a choice from a list
            self.page.locator(".command-chip").focus()
        self.page.keyboard.press("Enter")
        return False

    def _is_ready(self) -> bool:
        try:
            status = self._status()
        except Error:  # the page is being replaced
            return False
        return bool(status and status["ready"])

    def _newest(self, seen: set[str]) -> Answer | None:
        fresh = [message for message in self.messages() if message.id not in seen]
        return fresh[-1] if fresh and fresh[-1].drawn else None

    def _picture_unless(self, before: bytes) -> bytes | None:
        now = self.picture()
        return now if now != before else None

    def _status(self) -> dict[str, Any]:
        status: dict[str, Any] = self.page.evaluate(_STATUS)
        return status

    def _note_error(self, error: Error) -> None:
        self.faults.append(str(error))

    def _note_console(self, message: ConsoleMessage) -> None:
        if message.type == "error" and not message.location["url"].endswith("/favicon.ico"):
            self.faults.append(message.text)


@contextmanager
def open_browser(chromium: str) -> Iterator[Browser]:
    """Run the Chromium at that path, without a window, until the block ends."""
    with sync_playwright() as playwright:
        # Without its sandbox, because Chromium's does not work for root, as whom tests run in containers.
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        try:
            yield browser
        finally:
            browser.close()
