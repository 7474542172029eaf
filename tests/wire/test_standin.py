"""The stand-in, seen by a small discord.py client: its answers are usable, a broken contract is noticed."""

from __future__ import annotations

import asyncio
import io
import re
import struct
import zlib
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import aiohttp
import discord
import pytest
from discord import app_commands

from tests.wire import gateway
from tests.wire.contract import published
from tests.wire.faults import Fault, Loss, Refusal
from tests.wire.interactions import (
    CHOICES,
    DEFERRED_REPLY,
    DEFERRED_UPDATE,
    REPLY,
    UPDATE,
    NotOfferedError,
    command_data,
)
from tests.wire.standin import OWNER, PLAYER, StandIn

GUILD, CHANNEL = 100, 101
SUITS = ("clubs", "diamonds", "hearts", "spades")

needs_document = pytest.mark.skipif(
    published() is None, reason="Discord's OpenAPI contract (no document at hand)"
)


def png(width: int, height: int) -> bytes:
    """A valid black picture of that size in pixels, one byte a pixel."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    pixels = zlib.compress(bytes(width + 1) * height)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", pixels) + chunk(b"IEND", b"")


class Picture(discord.ui.LayoutView):
    """A text, a picture of `count` by 7 pixels, and a button that makes it one pixel wider."""

    def __init__(self, count: int) -> None:
        super().__init__(timeout=None)
        self.count = count
        self.file = discord.File(io.BytesIO(png(count, 7)), f"table-{count}.png", description=f"{count} wide")
        self.add_item(discord.ui.TextDisplay(f"Drawn: {count}"))
        gallery = discord.ui.MediaGallery[Picture](
            discord.MediaGalleryItem(self.file, description=f"{count} wide")
        )
        self.add_item(gallery)
        button = discord.ui.Button[Picture](label="More", custom_id="more")
        button.callback = self.more  # type: ignore[method-assign]
        self.add_item(discord.ui.ActionRow[Picture](button))

    async def more(self, interaction: discord.Interaction) -> None:
        view = Picture(self.count + 1)
        await interaction.response.edit_message(view=view, attachments=[view.file])


class Ask(discord.ui.Modal, title="A move"):
    move = discord.ui.Label["Ask"](text="Move", component=discord.ui.TextInput["Ask"](custom_id="move"))

    async def on_submit(self, interaction: discord.Interaction) -> None:
        assert isinstance(self.move.component, discord.ui.TextInput)
        await interaction.response.send_message(f"Moved {self.move.component.value}", ephemeral=True)


class Choice(discord.ui.View):
    """A plain message with a select; picking something is acknowledged first and shown later."""

    @discord.ui.select(custom_id="suit", options=[discord.SelectOption(label=suit) for suit in SUITS])
    async def pick(self, interaction: discord.Interaction, select: discord.ui.Select[Choice]) -> None:
        await interaction.response.defer()
        await interaction.edit_original_response(content=f"Picked {select.values[0]}", view=None)


class Toy(discord.Client):
    """A client with /draw, /think, /ask, /choose and /scold, synced before it connects."""

    def __init__(self, intents: discord.Intents | None = None) -> None:
        super().__init__(intents=intents or discord.Intents.none(), guild_ready_timeout=0.1)
        self.tree = app_commands.CommandTree(self)
        commands: tuple[app_commands.Command[Any, ..., Any], ...] = (draw, think, ask, choose, scold)
        for command in commands:
            self.tree.add_command(command)

    async def setup_hook(self) -> None:
        await self.tree.sync()

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        """Without this discord.py waits five seconds before it identifies a second time."""


@app_commands.command(description="Draws a picture")
@app_commands.describe(suit="Any of the four")
async def draw(interaction: discord.Interaction, suit: str, count: app_commands.Range[int, 1, 9] = 3) -> None:
    view = Picture(count)
    await interaction.response.send_message(view=view, file=view.file)


@draw.autocomplete("suit")
async def _suits(_: discord.Interaction, typed: str) -> list[app_commands.Choice[str]]:
    return [app_commands.Choice(name=suit, value=suit) for suit in SUITS if suit.startswith(typed)]


@app_commands.command(description="Thinks first, and then speaks")
async def think(interaction: discord.Interaction) -> None:
    await interaction.response.defer(thinking=True)
    await interaction.edit_original_response(content=f"{interaction.locale} {interaction.guild_id}")
    followup = await interaction.followup.send("More", wait=True)
    await followup.edit(content="Even more")


@app_commands.command(description="Opens a form")
async def ask(interaction: discord.Interaction) -> None:
    await interaction.response.send_modal(Ask())


@app_commands.command(description="Sends a select")
async def choose(interaction: discord.Interaction) -> None:
    await interaction.response.send_message("Which suit?", view=Choice(timeout=None))


@app_commands.command(description="Sends something too long")
async def scold(interaction: discord.Interaction) -> None:
    with pytest.raises(discord.HTTPException, match="50035"):
        await interaction.response.send_message("x" * 2001)


@asynccontextmanager
async def running(client: discord.Client, standin: StandIn) -> AsyncIterator[None]:
    """The client, logged in and connected; a failure of its own ends the test."""
    task = asyncio.create_task(client.start("token"))
    try:
        await standin.connected()
        yield
    finally:
        await client.close()
        await task


@pytest.fixture
async def toy(discord_standin: StandIn) -> AsyncIterator[Toy]:
    discord_standin.add_guild(GUILD, CHANNEL)
    client = Toy()
    async with running(client, discord_standin):
        yield client
    assert discord_standin.rest.answer_faults == []


async def test_a_client_logs_in_and_syncs_its_commands(discord_standin: StandIn, toy: Toy) -> None:
    assert [command["name"] for command in discord_standin.commands] == [
        "draw",
        "think",
        "ask",
        "choose",
        "scold",
    ]
    assert discord_standin.gateway.identified == 1
    assert toy.user is not None
    await toy.wait_until_ready()
    paths = [request.path for request in discord_standin.requests]
    assert paths == ["/users/@me", "/oauth2/applications/@me", f"/applications/{toy.application_id}/commands"]


async def test_a_picture_in_a_layout_arrives_as_it_was_sent(discord_standin: StandIn, toy: Toy) -> None:
    interaction = await discord_standin.interact(
        "draw", {"suit": "clubs"}, guild_id=GUILD, channel_id=CHANNEL
    )
    answer = await interaction.answer()
    assert answer.type == REPLY
    assert answer.message is not None
    picture = answer.message.attachment()
    assert picture.data == answer.files[0].data == png(3, 7)
    assert {
        key: picture.payload[key] for key in ("filename", "width", "height", "content_type", "description")
    } == {
        "filename": "table-3.png",
        "width": 3,
        "height": 7,
        "content_type": "image/png",
        "description": "3 wide",
    }
    assert answer.message.text == "Drawn: 3"
    assert answer.message.payload["attachments"] == []
    assert [component["id"] for component in answer.message.payload["components"]] == [1, 2, 3]
    assert answer.message.component("more")["id"] == 4


async def test_a_press_replaces_the_picture(discord_standin: StandIn, toy: Toy) -> None:
    drawn = await (await discord_standin.interact("draw", {"suit": "clubs"}, guild_id=GUILD)).shown()
    pressed = await (await discord_standin.press(drawn, "more", user=OWNER)).answer()
    assert pressed.type == UPDATE
    after = discord_standin.messages[drawn.id]
    assert after == pressed.message
    assert after.attachment("table-4.png").data == png(4, 7)
    assert drawn.attachment("table-3.png").data == png(3, 7)
    with pytest.raises(NotOfferedError):
        await discord_standin.press(drawn, "less")


async def test_a_picture_in_an_embed_is_not_listed_as_an_attachment(
    discord_standin: StandIn, toy: Toy
) -> None:
    file = discord.File(io.BytesIO(png(2, 2)), "board.png")
    embed = discord.Embed(title="The daily").set_image(url="attachment://board.png")
    sent = await toy.get_partial_messageable(CHANNEL).send(embed=embed, file=file)
    edited = await sent.edit(content="Over")
    stored = discord_standin.messages[str(sent.id)]
    assert edited.attachments == sent.attachments == stored.payload["attachments"] == []
    assert stored.payload["embeds"][0]["image"]["url"] == stored.attachment("board.png").payload["url"]
    assert (stored.payload["embeds"][0]["image"]["width"], stored.text) == (2, "Over")


async def test_the_client_can_download_an_attachment(discord_standin: StandIn, toy: Toy) -> None:
    drawn = await (await discord_standin.interact("draw", {"suit": "clubs"}, guild_id=GUILD)).shown()
    fetched = await toy.get_partial_messageable(CHANNEL).fetch_message(int(drawn.id))
    gallery = fetched.components[1]
    assert isinstance(gallery, discord.MediaGalleryComponent)
    assert await toy.http.get_from_cdn(gallery.items[0].media.url) == png(3, 7)


async def test_autocomplete_offers_choices(discord_standin: StandIn, toy: Toy) -> None:
    interaction = await discord_standin.autocomplete("draw", "suit", "s", guild_id=GUILD)
    answer = await interaction.answer()
    assert answer.type == CHOICES
    assert answer.choices == [{"name": "spades", "value": "spades"}]


async def test_a_direct_message_has_a_user_and_no_guild(discord_standin: StandIn, toy: Toy) -> None:
    interaction = await discord_standin.interact("think", locale="de")
    assert (await interaction.answer()).type == DEFERRED_REPLY
    assert (await interaction.shown()).text == "de None"
    assert interaction.payload["context"] == 1
    assert "member" not in interaction.payload


async def test_a_direct_message_can_be_opened_by_the_bot(discord_standin: StandIn, toy: Toy) -> None:
    user = discord.Object(PLAYER.id)
    channel = await toy.create_dm(user)
    sent = await channel.send("Your daily game")
    await sent.edit(content="Your daily game is over")
    assert discord_standin.messages[str(sent.id)].text == "Your daily game is over"
    await sent.delete()
    assert discord_standin.messages == {}


async def test_a_deferred_reply_is_completed_and_followed_up(discord_standin: StandIn, toy: Toy) -> None:
    interaction = await discord_standin.interact("think", guild_id=GUILD)
    assert (await interaction.shown()).text == "en-US 100"
    await settled(lambda: [m.text for m in discord_standin.messages.values()] == ["en-US 100", "Even more"])


async def test_a_modal_is_filled_in(discord_standin: StandIn, toy: Toy) -> None:
    opened = await discord_standin.interact("ask", guild_id=GUILD)
    submitted = await discord_standin.submit(opened, {"move": "4C 5D"})
    message = await submitted.shown()
    assert message.text == "Moved 4C 5D"
    assert message.ephemeral


async def test_a_choice_in_a_select_is_acknowledged_and_shown_later(
    discord_standin: StandIn, toy: Toy
) -> None:
    asked = await (await discord_standin.interact("choose")).shown()
    picked = await discord_standin.press(asked, "suit", values=["hearts"])
    assert (await picked.answer()).type == DEFERRED_UPDATE
    shown = await picked.shown()
    assert (shown.id, shown.text, shown.payload["components"]) == (asked.id, "Picked hearts", [])
    with pytest.raises(NotOfferedError, match="no option joker"):
        await discord_standin.press(asked, "suit", values=["joker"])


def test_a_sub_command_is_nested_as_discord_nests_it() -> None:
    date = {
        "type": 3,
        "name": "date",
        "description": "Which day",
        "choices": [{"name": "Today", "value": "today"}],
    }
    play = {"type": 1, "name": "play", "description": "Plays", "options": [date]}
    command = {
        "id": "7",
        "type": 1,
        "name": "daily",
        "description": "Of the day",
        "contexts": [0],
        "options": [play],
    }
    data = command_data([command], "daily play", {"date": "today"}, 0)
    chosen = {"type": 3, "name": "date", "value": "today"}
    assert data["options"] == [{"type": 1, "name": "play", "options": [chosen]}]
    for name, options, context in (
        ("daily", {}, 0),
        ("daily play", {"date": "never"}, 0),
        ("daily play", {}, 1),
    ):
        with pytest.raises(NotOfferedError):
            command_data([command], name, options, context)


async def test_what_a_player_cannot_send_is_refused(discord_standin: StandIn, toy: Toy) -> None:
    with pytest.raises(NotOfferedError, match="not synced"):
        await discord_standin.interact("deal")
    with pytest.raises(NotOfferedError, match="needs suit"):
        await discord_standin.interact("draw")
    with pytest.raises(NotOfferedError, match="no option"):
        await discord_standin.interact("think", {"hard": True})
    with pytest.raises(NotOfferedError, match="from 1 to 9"):
        await discord_standin.interact("draw", {"suit": "clubs", "count": 10})


async def test_a_server_error_is_retried(discord_standin: StandIn, toy: Toy) -> None:
    discord_standin.answer_with(
        "POST", "/callback$", 500, {"message": "500: Internal Server Error", "code": 0}
    )
    interaction = await discord_standin.interact("draw", {"suit": "clubs"}, guild_id=GUILD)
    answer = await interaction.answer()
    assert answer.files[0].data == png(3, 7)
    assert [r.path.endswith("/callback") for r in discord_standin.requests[-2:]] == [True, True]


async def test_a_rate_limit_is_respected(discord_standin: StandIn, toy: Toy) -> None:
    limit = {"message": "You are being rate limited.", "retry_after": 0.1, "global": False}
    discord_standin.answer_with("PATCH", "@original$", 429, limit, {"Via": "1.1 google"})
    interaction = await discord_standin.interact("think", guild_id=GUILD)
    await interaction.shown()
    first, second = (r for r in discord_standin.requests if r.path.endswith("@original"))
    assert second.at_s - first.at_s >= 0.1
    assert second.json == first.json


async def test_an_answer_can_be_slow(discord_standin: StandIn, toy: Toy) -> None:
    discord_standin.delay("GET", "/users/@me$", 0.1)
    started = asyncio.get_running_loop().time()
    me = await toy.http.request(discord.http.Route("GET", "/users/@me"))
    assert me["username"] == "solitaire"
    assert asyncio.get_running_loop().time() - started >= 0.1


async def test_an_answer_can_be_lost(discord_standin: StandIn, toy: Toy) -> None:
    discord_standin.drop("POST", "/users/@me/channels$")
    with pytest.raises(aiohttp.ServerDisconnectedError):
        await toy.create_dm(discord.Object(PLAYER.id))
    assert discord_standin.rest.dm_channels == {}


async def test_two_requests_in_a_row_can_be_refused(discord_standin: StandIn, toy: Toy) -> None:
    refusal = discord_standin.answer_with("POST", "/callback$", 503, {"message": "503", "code": 0}, times=2)
    interaction = await discord_standin.interact("draw", {"suit": "clubs"}, guild_id=GUILD)
    with pytest.raises(TimeoutError):  # the client waits 1 + 3 seconds, and then it is too late
        await interaction.answer(4.5)
    assert len(refusal.met) == 2


async def test_a_connection_is_reset_after_the_request_took_effect(
    discord_standin: StandIn, toy: Toy
) -> None:
    discord_standin.drop("POST", "/users/@me/channels$", loss=Loss.AFTER, resets=True)
    with pytest.raises(aiohttp.ClientOSError, match="reset by peer"):
        await toy.create_dm(discord.Object(PLAYER.id))
    assert [user.id for user in discord_standin.rest.dm_channels.values()] == [PLAYER.id]


async def test_a_fault_can_be_limited_to_one_user(discord_standin: StandIn, toy: Toy) -> None:
    limit = Refusal.rate_limit(0.05)
    discord_standin.arm(Fault("POST", re.compile("/callback$"), 1, limit, user_id=OWNER.id))
    await (await discord_standin.interact("draw", {"suit": "clubs"}, guild_id=GUILD)).shown()
    assert sum(r.path.endswith("/callback") for r in discord_standin.requests) == 1
    await (await discord_standin.interact("draw", {"suit": "clubs"}, guild_id=GUILD, user=OWNER)).shown()
    assert sum(r.path.endswith("/callback") for r in discord_standin.requests) == 3


async def test_a_nonce_is_posted_once(discord_standin: StandIn, toy: Toy) -> None:
    channel = toy.get_partial_messageable(CHANNEL)
    first, second, other = [await channel.send("hello", nonce=nonce) for nonce in ("1", "1", "2")]
    assert first.id == second.id != other.id


async def test_a_session_that_is_invalid_is_resumed_or_started_anew(
    discord_standin: StandIn, toy: Toy
) -> None:
    await toy.wait_until_ready()
    gateway = discord_standin.gateway
    await gateway.invalidate(resumable=True)
    await settled(lambda: gateway.resumed == 1)
    await gateway.invalidate(resumable=False)
    await settled(lambda: gateway.identified == 2)
    assert gateway.resumed == 1


async def test_missed_events_come_in_order_after_the_resume(discord_standin: StandIn, toy: Toy) -> None:
    await toy.wait_until_ready()
    seen: list[str] = []

    async def note(interaction: discord.Interaction) -> None:
        seen.append(str(interaction.id))

    toy.on_interaction = note  # type: ignore[attr-defined]
    await discord_standin.gateway.cut()
    asked = [await discord_standin.interact("think", guild_id=GUILD) for _ in range(5)]
    for interaction in asked:
        await interaction.shown()
    assert seen == [interaction.id for interaction in asked]
    assert discord_standin.gateway.resumed == 1


async def test_a_client_that_lost_its_connection_resumes(discord_standin: StandIn, toy: Toy) -> None:
    await toy.wait_until_ready()
    await discord_standin.gateway.disconnect()
    interaction = await discord_standin.interact("draw", {"suit": "clubs"}, guild_id=GUILD)
    assert (await interaction.answer()).type == REPLY
    assert (discord_standin.gateway.identified, discord_standin.gateway.resumed) == (1, 1)


async def test_a_client_asked_to_reconnect_resumes(discord_standin: StandIn, toy: Toy) -> None:
    await toy.wait_until_ready()
    await discord_standin.gateway.ask_to_reconnect()
    await settled(lambda: discord_standin.gateway.resumed == 1)


async def test_a_forgotten_session_is_started_anew(discord_standin: StandIn, toy: Toy) -> None:
    await toy.wait_until_ready()
    discord_standin.gateway.forget_session()
    await discord_standin.gateway.disconnect()
    await settled(lambda: discord_standin.gateway.identified == 2)


async def test_guilds_are_told_to_clients_with_the_intent(discord_standin: StandIn) -> None:
    discord_standin.add_guild(GUILD, CHANNEL)
    client = Toy(discord.Intents(guilds=True))
    async with running(client, discord_standin):
        await client.wait_until_ready()
        await discord_standin.announce(discord_standin.add_guild(200, 201))
        await settled(lambda: [guild.id for guild in client.guilds] == [GUILD, 200])
        channel = client.get_channel(CHANNEL)
        assert isinstance(channel, discord.TextChannel)
        assert channel.permissions_for(channel.guild.me).attach_files


@needs_document
async def test_a_body_that_breaks_the_contract_is_noticed_and_refused() -> None:
    async with StandIn() as standin:
        with standin.client_settings():
            async with running(Toy(), standin):
                await standin.interact("scold")
                await settled(lambda: bool(standin.violations))
    assert "is too long" in standin.violations[0]
    assert "/callback: body.data.content" in standin.violations[0]
    with pytest.raises(AssertionError, match="too long"):
        standin.check()


async def test_a_picture_that_was_not_uploaded_is_noticed() -> None:
    async with StandIn() as standin:
        with standin.client_settings():
            async with running(client := Toy(), standin):
                with pytest.raises(discord.HTTPException, match="names no attachment"):
                    await client.get_partial_messageable(1).send(view=Picture(3))
    assert len(standin.violations) == 1


async def test_an_unknown_route_is_noticed(discord_standin: StandIn, toy: Toy) -> None:
    with pytest.raises(discord.NotFound):
        await toy.fetch_user(1)
    assert [request.path for request in discord_standin.unknown] == ["/users/1"]
    discord_standin.unknown.clear()


async def test_an_interaction_is_acknowledged_once_and_edited_while_its_token_lives(
    discord_standin: StandIn, toy: Toy
) -> None:
    interaction = await discord_standin.interact("draw", {"suit": "clubs"}, guild_id=GUILD)
    await interaction.answer()
    route = discord.http.Route("POST", f"/interactions/{interaction.id}/{interaction.token}/callback")
    with pytest.raises(discord.HTTPException, match="40060"):
        await toy.http.request(route, json={"type": 6})
    interaction.expired = True
    webhook = discord.http.Route(
        "GET", f"/webhooks/{toy.application_id}/{interaction.token}/messages/@original"
    )
    with pytest.raises(discord.HTTPException, match="50027"):
        await toy.http.request(webhook)


async def settled(condition: Callable[[], bool], timeout_s: float = 5.0) -> None:
    """Waits until `condition()` holds.

    :raises TimeoutError: it never did.
    """
    async with asyncio.timeout(timeout_s):
        while not condition():  # noqa: ASYNC110 - what is waited for is told by no event
            await asyncio.sleep(0.01)


def test_an_uncompressed_connection_is_text() -> None:
    assert gateway.encoder(None)("first") == "first"


@pytest.mark.parametrize("compress", ["zlib-stream", "zstd-stream"])
def test_a_compressed_stream_can_be_read_message_by_message(compress: str) -> None:
    if compress == "zlib-stream":
        stream: Any = zlib.decompressobj()
    else:
        stream = (
            pytest.importorskip("zstandard", reason="zstd streams (no zstandard installed)")
            .ZstdDecompressor()
            .decompressobj()
        )
    encode = gateway.encoder(compress)
    assert [stream.decompress(encode(text)) for text in ("first", "second")] == [b"first", b"second"]
