### English. What stands in braces is filled in; keep the names. Cards arrive as "9♤" or "10♥".

## Games and rules

game-klondike = Klondike
game-acesup = Aces Up
rules-klondike = draw { $draw }{ $passes ->
    [none] { "" }
    [one] , once through the stock
   *[other] , { $passes } passes
 }{ $returns ->
    [yes] , return from foundations
   *[no] { "" }
 }
rules-acesup = { $aces ->
    [yes] aces only to empty piles
   *[no] standard
 }{ $cell ->
    [yes] { " " }+ free cell
   *[no] { "" }
 }{ $pairs ->
    [yes] { " " }+ pairs
   *[no] { "" }
 }

## Moves, in words

move-onto = { $source } → { $target }: { $card } on { $onto }
move-run-onto = { $source } → { $target }: { $card } and { $more } more on { $onto }
move-empty = { $source } → { $target }: { $card } to the empty place
move-run-empty = { $source } → { $target }: { $card } and { $more } more to the empty place
move-home = { $source } → f: { $card } to the foundation
move-back = { $source } → { $target }: { $card } back from the foundation onto { $onto }
move-back-empty = { $source } → { $target }: { $card } back from the foundation to the empty place
move-cell = { $source } → c: { $card } to the free cell
move-draw = Draw
move-redeal = Turn the waste over
move-deal = Deal
move-discard = Discard { $cards } from { $source }

## What a turn says

turn-new = **New game.** Play with the controls below the table, or type: `/help` says how.
turn-winnable = This deal can be won.
turn-first = New to it? `/rules` shows how it is played, in pictures.
turn-undone = **Taken back:** { $move }
turn-redone = **Again:** { $move }
turn-shown = **Your table.**
turn-shown-last = **Your table.** Last move: { $move }
turn-resumed = **Back to this game.**
turn-drawn = { $move }: { $cards }
turn-set-aside = Your unfinished { $game } (score { $score }) is set aside; `/games` brings it back.
turn-set-aside-daily = Your daily game is set aside; `/daily` brings it back.
turn-set-aside-challenge = Your game in the challenge is set aside; `/games` brings it back.
turn-won = 🎉 **You won!** { $score } of { $full } in { $moves ->
    [one] one move
   *[other] { $moves } moves
 }. `/new` deals another.
turn-over = **No card can move any more:** { $score } of { $full }. `/undo` goes back, `/new` deals again.
give-up-question = **Really give this game up?**
turn-over-acesup = **Over:** no more cards can be discarded. { $score } of { $full }. `/undo` goes back, `/new` deals again.
turn-best-proven = The best possible was **{ $best }** (proven). You made { $score }.
turn-best-found = **{ $best }** was possible, and at most { $bound }. You made { $score }.
turn-best-made = That is the best possible score (proven).
turn-best-bound = At most { $bound } was possible.
turn-could-be-won = This deal could be won.
turn-could-not-be-won = This deal could not be won, however it is played (proven).
turn-lost-from-start = This deal can’t be won, however it is played: that is proven, knowing all the cards. `/new` deals again.
turn-lost = This game can’t be won any more: that is proven, knowing all the cards. `/undo` goes back.
turn-given-up = **Given up** at { $score } of { $full }. `/new` deals another.
turn-expired = **Ended** after a long time without a move: { $score } of { $full }. `/new` deals another.
turn-expired-contest = **Ended** after a long time without a move: { $score } of { $full }.
turn-footer = { $game } · { $rules } · seed { $seed }

## On the picture

picture-title = { $game } · { $rules }
picture-seed = seed { $seed }
picture-score = Score { $score }/{ $full }
picture-pass = Pass { $number } of { $limit }

## The table in words

table-stock = Stock: { $count ->
    [0] empty
   *[other] { $count } face down
 }
table-waste = Waste: { $cards }
table-foundation = Foundation { $suit }: { $cards }
table-pile = { $name }: { $cards }
table-cell = Free cell: { $cards }
table-discard = Discarded: { $count }
table-hidden = { $count } face down
table-empty = empty
table-more = { $count } more
table-score = Score { $score } of { $full }
table-pass = pass { $number } of { $limit }
suit-clubs = clubs
suit-diamonds = diamonds
suit-hearts = hearts
suit-spades = spades
colour-red = red
colour-black = black

## Why a move is not possible

illegal-game-over = This game is over. `/undo` goes back, `/new` deals another.
illegal-no-such-pile = There is no pile “{ $pile }” on this table.
pile-s = the stock
pile-w = the waste
pile-c = the free cell
pile-d = the discard pile
pile-t = the table
pile-foundation = the foundation
pile-numbered = pile { $number }
illegal-no-cell = There is no free cell by these rules.
illegal-no-stock = This game has no stock to draw from.
illegal-no-discard-pile = Nothing is discarded in this game; cards go to the foundations: `/move 3 f`.
illegal-same-pile = That is the same place twice: { $place }.
illegal-empty-pile = There is nothing to take from { $place }.
illegal-not-there = No card can be put on { $place } by hand.
illegal-not-from-there = No card can be taken from { $place } by hand.
illegal-face-down = Only { $shown ->
    [one] one card lies
   *[other] { $shown } cards lie
 } face up in { $place }, so { $count } can’t move.
illegal-one-at-a-time = Only one card at a time can be moved from { $place } to there.
illegal-not-allowed = The rules don’t allow that move.
illegal-wrong-column = { $card } needs a { $colour } { $rank }; column { $pile } ends in { $end }.
illegal-wrong-column-king = { $card } goes only to an empty column; column { $pile } ends in { $end }.
illegal-kings-only = Only a king can go to the empty column { $pile }, not { $card }.
illegal-wrong-foundation = { $card } can’t go to the foundation yet: { $needs } comes next.
illegal-other-suit = { $card } goes to the foundation of its own suit.
illegal-no-return = By these rules a card stays on its foundation.
illegal-stock-not-empty = The waste is turned over only when the stock is empty.
illegal-no-pass-left = The stock is empty, and { $passes ->
    [one] these rules go through it once
   *[other] all { $passes } passes are used
 }.
illegal-nothing-to-draw = Stock and waste are both empty.
illegal-ace-stays = { $card } is an ace, and aces are never discarded.
illegal-not-beaten = { $card } stays: no card of its suit on top of another pile is higher.
illegal-pile-taken = Pile { $pile } is not empty; cards move only to an empty pile.
illegal-aces-only = By these rules only an ace can go to an empty pile, not { $card }.
illegal-cell-taken = The free cell is taken by { $card }.
illegal-cell-stays = { $card } can leave the free cell only for an empty pile.
illegal-not-a-pair = { $card } and { $other } are not a pair that can be discarded.
illegal-stock-empty = The stock is empty.

## Other faults

fault-move-syntax = “{ $text }” is not a move. Type two piles, such as `3 5`; `w` is the waste, `f` a foundation, `c` the free cell.
fault-move-target = Where to? Type two piles, such as `/move 3 5`.
fault-rules-syntax = { $game } has no rules “{ $text }”. There are { $rules }.
fault-seed = A seed is a text of 1 to 64 characters.
fault-record-syntax = “{ $text }” is not a game code. One looks like `acesup/standard/mormor`.
fault-record-daily = The line of a daily game has no code. `/daily` deals today’s cards.
fault-unknown-game = There is no game “{ $text }” here. There are { $games }.
fault-no-game = You have no game yet. `/new` deals one.
fault-no-such-game = That game is not there any more. `/games` lists your unfinished ones.
fault-not-yours = That table belongs to somebody else. `/new` deals you your own.
fault-finished = This game has ended. `/new` deals another.
fault-stale = **The table had changed** since you saw it; nothing was played. This is how it stands:
fault-nothing-to-undo = There is nothing to take back: this is the deal.
fault-nothing-to-redo = There is nothing to play again.
fault-nothing-to-discard = No card can be discarded now.
fault-choose-discard = Several cards can go. Which one?
fault-choose-discard-line = `/discard { $pile }`: { $move }
fault-no-picture = I may not attach files in this channel, so here is the table in words. Somebody who manages the server can give me the permission **Attach Files**.
fault-not-drawn = I could not draw the picture this time, so here is the table in words. (Error { $id })
fault-too-many-moves = This game is as long as a game can be here. Undo, finish it, or `/new` deals another.
fault-outdated = This command has changed. Reload Discord, or try again in a minute.
fault-unexpected = Something went wrong on my side. `/table` shows how your game stands. (Error { $id })
fault-too-fast = That was a bit fast: this works again <t:{ $time }:R>.
fault-many-waiting = Many are waiting just now. Try again in a moment.
fault-busy = { $work ->
    [replay] I am still drawing your last replay.
    [best] I am still working out your last deal.
    [export] I am still putting your last copy together.
   *[analysis] I am still analysing your last game.
 }
fault-stopping = I am being restarted. In a minute, `/table` shows how your game stands.
fault-choices = Something went wrong on my side; type it instead. (Error { $id })
fault-not-kept = I can't save anything at the moment, so nothing has changed. Try again later. (Error { $id })
fault-damaged = My records are damaged, and I can't go on with this. Please tell whoever runs me. (Error { $id })

## Lists

deal-seed = seed { $seed }
games-none = You have no unfinished games. `/new` deals one.
games-title = **Your unfinished games**
games-line = { $mark } { $game } · { $rules } · { $deal } · score { $score } · <t:{ $time }:R>
games-how = `/games` with the option filled in goes back to one.
games-choice = { $game } · { $rules } · { $deal } · score { $score }

## Rules and help

rules-text-klondike =
    ## Klondike
    Seven columns, four foundations. Ace low, king high.
    - **Aim:** build each foundation up in its suit, from ace to king.
    - **Columns:** put a card, or a face-up card with all that lies on it, on a card one rank higher and of the other colour. An empty column takes only a king. A bared card turns face up by itself.
    - **Stock:** `/draw` turns one or three cards onto the waste; its top card can be played. When the stock is empty, `/draw` turns the waste over, as often as the rules allow.
    - **Type:** `/move 3 5`, `/move w 4` (from the waste), `/move 3 f` (to its foundation).
rules-text-acesup =
    ## Aces Up
    Four piles; only their top cards play. Ace high, above the king.
    - **Aim:** discard everything but the four aces, 48 cards.
    - **Discard:** a top card goes when another pile’s top card has the same suit and a higher rank: `/discard 2`.
    - **Empty pile:** takes any top card, which bares the one beneath: `/move 3 1`.
    - **Deal:** `/draw` puts one new card on each pile, twelve times in all, whenever you like.
rules-presets = **Rules to choose from**
rules-preset-line = `{ $code }` { $rules }
rules-combine-klondike = Any mix works: `d1` or `d3`, then `p1` … `p9` for the passes, then `r` if cards may come back from foundations, such as `d3p2r`.
rules-combine-acesup = They can be mixed with plus signs, such as `cell+pairs`.

help-text =
    ## Solitaire
    `/new` deals Klondike or Aces Up; with the same seed a friend gets the same cards, with `winnable` they can be won.
    `/daily` deals today’s Aces Up, the same cards for everyone, once · `/leaderboard` shows who did best
    `/move 3 5` moves from column 3 to column 5; `w` is the waste, `f` the foundation, `c` the free cell. The list shows what is possible; so do the controls under the table.
    `/draw` takes from the stock · `/discard 2` discards in Aces Up
    `/undo` `/redo` go back and forth, as far as you like
    `/table` shows your game again · `/games` goes back to another one · `/giveup` ends it
    `/hint` names a useful move · `/replay` shows the game as an animation · `/analyse` where it was lost · `/settings` has language, privacy and cards
    `/share` shares a deal without giving anything away · `/challenge` has friends play the same cards · `/compare` shows where two games parted
    `/rules` has the rules, in pictures. Your games are kept; a new one only sets the old one aside.
    `/stats` counts your wins · `/privacy` says what I keep about you

## Commands

command-new = new
    .description = Deal a new game
    .game = game
    .game-description = Which solitaire
    .rules = rules
    .rules-description = Which rules; the list has the usual ones
    .seed = seed
    .seed-description = The same seed deals the same cards: a number or any text
    .code = code
    .code-description = A code that was shared with you, such as acesup/standard/mormor, or a whole game
    .winnable = winnable
    .winnable-description = Only a deal that has been proven to be winnable
command-move = move
    .description = Move cards from one pile to another
    .from = from
    .from-description = Where from: a pile such as 3, w (waste) or c (cell), or a whole move from the list
    .to = to
    .to-description = Where to: a pile such as 5, f (foundation) or c (cell)
    .count = count
    .count-description = How many cards, if you want to say
command-draw = draw
    .description = Draw from the stock, turn the waste over, or deal
command-discard = discard
    .description = Discard a card (Aces Up)
    .pile = pile
    .pile-description = From which pile, such as 2, or 1+3 for a pair
command-undo = undo
    .description = Take the last move back
command-redo = redo
    .description = Play again what was taken back
command-table = table
    .description = Show your game again
command-games = games
    .description = Your unfinished games; go back to one
    .resume = resume
    .resume-description = The game to go back to
command-giveup = giveup
    .description = Give this game up
command-rules = rules
    .description = How a game is played
    .game = game
    .game-description = Which solitaire
command-help = help
    .description = What I can do

## Controls under a table

control-menu = Move … ({ $count } possible)
control-no-move = No card can move now
control-page = More moves, page { $page }
control-undo = Undo
control-redo = Redo
control-analyse = Analyse
control-best = Best line
control-hint = Hint
control-finish = Finish
control-more = More
control-back = Back
control-discard-all = Discard all { $count }
control-rules = Rules
control-share = Share
control-settings = Settings
control-give-up = Give up
control-give-up-really = Yes, give this game up
control-same = Deal me this one too
turn-hint = **Hint:** { $move }
turn-no-hint-draw = **Hint:** nothing useful left that I can see. Draw on, or give up.
turn-no-hint = **Hint:** nothing useful left that I can see. Undo, or give up.
turn-discarded = **Discarded { $count }:** { $cards }
turn-finished = **Finished:** { $count } moves played.
fault-nothing-to-finish = This game can’t be played out by itself yet.
fault-unknown-control = That control is no longer in use. `/table` shows your game.

## Settings

language-name = English
settings-title = ## Settings
settings-language = Language
settings-language-automatic = Language: as in my Discord
settings-is-private = Only I can see my tables
    .about = Others in the channel don’t see them.
settings-as-text = Tables in words
    .about = For screen readers: no picture.
settings-four-colours = Four colours
    .about = Clubs green, diamonds blue.
settings-large-index = Large index
    .about = Bigger ranks and suits on the cards.
settings-is-hidden = Hide me
    .about = Nobody else sees me on leaderboards or in `/stats`.
settings-tells-lost = Tell me when it’s lost
    .about = As soon as a game can’t be won any more. Never in the daily.
settings-turn-on = Turn on
settings-turn-off = Turn off
settings-state = { $name }: { $state ->
    [on] on
   *[off] off
 }
command-settings = settings
    .description = Language, privacy, tables in words, the look of the cards
command-hint = hint
    .description = One useful move

## Replay

replay-no-files = I may not attach files in this channel, so I can’t show a replay here.
replay-drawing = Drawing the game …
replay-title = **Replay:** { $moves ->
    [one] one move
   *[other] { $moves } moves
 }, { $score } of { $full }
replay-alt = The whole game as an animation: { $moves ->
    [one] one move
   *[other] { $moves } moves
 }, { $score } of { $full } at the end.
replay-best-title = **The best line:** { $moves ->
    [one] one move
   *[other] { $moves } moves
 }, { $score } of { $full }
replay-best-alt = The same cards played as well as they can be, as an animation: { $moves ->
    [one] one move
   *[other] { $moves } moves
 }, { $score } of { $full } at the end.
replay-no-best = I know of nothing better for these cards.
command-replay = replay
    .description = Your game as an animation

## Analysis

analysis-title = **Analysis**
analysis-drop = Move { $number }, { $move }: from then on at most { $after } instead of { $before }. Better: { $better }
analysis-lost = Move { $number }, { $move }: until then it could still be won. Better: { $better }
analysis-more = … and { $count } more.
analysis-nothing = No single move can be shown to have cost you anything.
analysis-won = You won: no move cost you anything.
analysis-alt = The table before move { $number }; the cards of the better move are marked.
analysis-unknown = I can’t work that out just now. Try again in a minute.
fault-not-finished = This game is still going. When it has ended, `/analyse` shows where it was lost; `/giveup` ends it.
fault-analyse-later = { $contest ->
    [daily] Others still play these cards today. When the day is over, `/analyse` shows where the game was lost.
   *[other] Others still play these cards. When everybody in the challenge has finished, `/analyse` shows where the game was lost.
 }
command-analyse = analyse
    .description = Shows which moves of your ended game cost something

## Statistics

stats-title = ## 📊 { $name }
stats-group = **{ $game } · { $rules }**
stats-counts = { $played ->
    [one] 1 game
   *[other] { $played } games
 }, { $won } won ({ $rate }%)
stats-going = { $count } in progress
stats-scores = average { $average } · best { $best } · win streak { $streak }, longest { $longest }
stats-daily = **Daily streak:** { $streak ->
    [one] 1 day
   *[other] { $streak } days
 }, longest { $longest }
stats-more = … and { $count } more rule sets: choose below.
stats-spread = How often each score came: { $scores }
stats-spread-score = { $score } × { $count }
stats-choose = Choose a rule set
stats-games = { $count ->
    [one] one game
   *[other] { $count } games
 }
stats-none = You have not played yet. A game counts from its first move: `/new` deals one.
stats-none-other = { $name } has not played here yet.
stats-no-picture = I may not attach files in this channel, so here are the scores in words.
stats-picture-title = { $game } · { $rules }
stats-picture-latest = latest: { $score }
stats-picture-mean = average { $average }
stats-picture-axis = score
stats-alt = { $game } · { $rules }: average { $average }, latest { $latest }. How often each score came: { $scores }
fault-hidden-player = This player doesn’t show their statistics.
command-stats = stats
    .description = How often you played and won, your streaks, and how your scores are spread
    .user = user
    .user-description = Whose; your own if you leave it out

## One’s own data

privacy-text =
    ## Privacy
    ### What I keep
    - Your Discord id: the number by which Discord tells me who plays. Not your name, not your picture, not what you write; I see only the commands and buttons that you use with me. I ask Discord for the names on leaderboards when they are needed, and do not store them.
    - Your games: the deal, the rules, every move, the score, and when it was dealt and last played. Statistics and streaks are worked out from that.
    - Where the newest table of a game is: its channel, its message, and the words in it, so that older tables lose their buttons.
    - Your settings.
    - Your results in the daily game, and on which servers you have played, for their leaderboards.
    - Challenges that you made or joined, and daily posts that you arranged for a server.
    ### Why
    So that you can go on playing, see how you do, and compare yourself with friends. For nothing else. Others see your tables, your places on leaderboards and your statistics, unless you hide them in `/settings`. Whoever runs this bot can read all of it; nobody else gets it.
    ### How long
    Until you delete it; nothing expires by itself. What you delete is gone at once, with one exception: if you had today’s daily game, its result stays on the leaderboard as “a player”, and a code made of your id with a secret key says that your attempt is used, so that nobody gets a second one. From the code nobody can tell who you are without that key, and both go when the day is over.
    Messages that I have posted stay in their channels until somebody deletes them there. Whoever runs this bot may have backups, which keep deleted data until they are replaced.
    ### What you can do
    `/export` sends you all of it as a file. `/forget-me` deletes it. In `/settings`, “Hide me” takes you off leaderboards and out of statistics for everybody else, and “Only I can see my tables” hides those.
    ### Questions
    Ask whoever runs this bot: as a rule those who manage the server where you met it.
export-done = This is all that I keep about you: { $games ->
    [0] no games
    [one] one game
   *[other] { $games } games
 }, your settings, and what goes with them. `/privacy` explains it, `/forget-me` deletes it.
export-packed = It was too large for Discord, so it is packed: gunzip or 7-Zip opens it.
export-no-files = I may not attach files in this channel. Write `/export` to me in a direct message: there I may.
export-too-large = That is more than Discord lets me send, even packed. Whoever runs this bot can give it to you.
forget-question =
    ## Delete everything?
    This deletes for good all that I keep about you:
    - { $games ->
        [0] your games (there are none)
        [one] your game with every move
       *[other] your { $games } games with every move
     }, and so your statistics and streaks
    - your results in the daily game, and your places on leaderboards
    - your part in challenges
    - your settings

    An attempt at today’s daily game stays used. `/export` gives you a copy first.
forget-yes = Delete everything
forget-no = Keep everything
forget-kept = Nothing was deleted.
forget-done = **Deleted.** { $games ->
    [0] There were no games; your
    [one] One game, your
   *[other] { $games } games, your
 } settings and all else that I kept about you are gone. If you play again, you begin anew.
forget-done-daily = Today’s attempt at the daily game stays used; the next deal comes <t:{ $time }:R>. Until then a result stays on the leaderboard as “a player”.
forget-not-yours = This was asked by somebody else. `/forget-me` asks about your own data.
command-privacy = privacy
    .description = What I keep about you, why, and for how long
command-export = export
    .description = All that I keep about you, as a file for you alone
command-forget-me = forget-me
    .description = Delete all that I keep about you

## The rules with pictures: a heading and two to four short sentences a page. `d1`, `aces` … stay as they are.

rulebook-page = { $game } · page { $page } of { $pages }
rulebook-back = Back
rulebook-next = Next
rulebook-game = Rules of { $game }

lesson-klondike-start =
    ### The aim
    Seven columns of one to seven cards, with only the last one face up. The other 24 cards are the stock. On the right are the four foundations: fill each with its suit, from ace (the lowest) to king.
lesson-klondike-columns =
    ### Building down
    In the columns a card goes on one that is a rank higher and of the other colour. Here { $card } went on { $onto }, black on red. The card hidden under it turned face up by itself: { $turned }.
lesson-klondike-run =
    ### Several at once
    A face-up card takes along all that lies on it. { $card } moved onto { $onto } with { $rider } on its back, and { $turned } came to light. You may also move just the lower part of a run.
lesson-klondike-empty =
    ### An empty column
    Only a king may start an empty column, alone or with cards on it. { $king } took two along, and under it was { $turned }. So empty a column when a king is ready; until then it is of little use.
lesson-klondike-home =
    ### The foundations
    First comes the ace, then the rest of the suit upwards, one card at a time. { $card } has just gone there. You may send the end of a column or the top of the waste. Unless the rules say otherwise, it stays there.
lesson-klondike-stock =
    ### The stock
    Stuck? Draw from the stock. The top card of the waste may go to a column or a foundation: here { $card } can go straight home. When the stock is empty, the waste is turned over, never shuffled, as often as the rules allow.
lesson-klondike-end =
    ### The end
    All 52 cards are on the foundations: it comes out! The score counts the cards there. Without a win the game ends only when nothing in columns or stock can be played any more, or when you give up.
lesson-klondike-rules-one =
    ### Rules: one card at a time
    `d1`: draw one, and turn the waste over as often as you like. The easiest; start here.
    `d1p3`: three times through the stock. In the picture the second pass begins.
    `d1p1`: once through the stock, then it is closed.
    You choose the rules in `/new`.
lesson-klondike-rules-three =
    ### Rules: three cards at a time
    A draw turns three cards, and only the top one can be played. { $first } and { $second } must wait under { $top }.
    `d3`: through the stock as often as you like. What you play changes which cards come up next time.
    `d3p1`: once through, the hardest of all.
lesson-klondike-tips-turn =
    ### Tips: turn cards up
    It is the hidden cards that stop you. Prefer moves that turn one up, above all in the column that hides most: here { $card } and { $rider } left column 7 and bared { $turned }. Look over the columns before you draw.
lesson-klondike-tips-home =
    ### Tips: no hurry
    Aces and twos can go to the foundations at once. Higher cards may still be needed: { $kept } could have gone too, but now it holds { $low }, and { $turned } is free. Let the four suits grow evenly.

lesson-acesup-start =
    ### The aim
    You start with four open cards; 48 wait in the stock. Get rid of everything but the aces. An ace is high here: it beats even the king.
lesson-acesup-discard =
    ### Discarding
    Only the top cards count. When two of them have the same suit, the lower one can go. Here { $low } had to give way to { $high }; the two others have suits of their own and are safe.
lesson-acesup-deal =
    ### Dealing
    A deal puts a new card on all four places, an empty one too. You can deal twelve times, whenever you like. Covered cards come back when what lies on them has gone.
lesson-acesup-chain =
    ### One leads to another
    { $high } has just sent { $low } away. Beneath it was { $bared }, of the same suit, so that can go as well. Then the place is empty.
lesson-acesup-empty =
    ### An empty place
    An empty place takes a top card from any pile, and the card beneath comes to light. Here { $moved } moved. Now { $bared } is on top again, and { $low } can go. You need not fill the place: the next deal will.
lesson-acesup-end =
    ### The end
    All 48 have gone and the aces stand alone: it comes out! The score counts the discarded cards. With an empty stock the game is over once no move leads to another discard.
lesson-acesup-rules-aces =
    ### Rules: `standard` and `aces`
    `standard` is what you have seen so far. About one game in 35 comes out.
    `aces` is the strictest: only an ace may go to an empty place. Here { $stuck } can’t, so the place waits for the next deal. About one game in 270 comes out.
    You choose the rules in `/new`.
lesson-acesup-rules-cell =
    ### Rules: `cell`
    The kindest rules: a free cell beside the piles holds one card. Here { $parked } was put there, and now { $high } can send { $low } away. The card in the cell is out of play until it gets an empty place.
lesson-acesup-rules-pairs =
    ### Rules: `pairs`
    Two top cards of the same rank may also go together, though their suits differ: here { $one } and { $other }. Only aces must stay. Rules can be mixed, such as `cell+pairs`.
lesson-acesup-tips-places =
    ### Tips: empty places
    Try to get empty places: nothing else brings you down into the piles. See what a move would bare; a high card is often best. Aces are good to move, as they never leave. { $moved } lay on { $low }: now it can beat it.
lesson-acesup-tips-deal =
    ### Tips: before you deal
    Look once more before you deal, for every pile gets covered. { $high } beats { $low } now; later { $low } may be locked in for good. Remember what has gone: when little is left of a suit, its high cards have little to do.

## The daily game

date = { $day } { $month } { $year }
date-without-year = { $day } { $month }
month-1 = January
month-2 = February
month-3 = March
month-4 = April
month-5 = May
month-6 = June
month-7 = July
month-8 = August
month-9 = September
month-10 = October
month-11 = November
month-12 = December
turn-new-daily = **The daily game of { $date }.** Everybody gets these cards, once, without undo and hints. Only you see this table. It ends <t:{ $time }:R>.
turn-new-challenge = **Your game in the challenge.** The others get the same cards; nobody has undo or hints. Only you see this table.
turn-won-contest = 🎉 **You won!** { $score } of { $full } in { $moves ->
    [one] one move
   *[other] { $moves } moves
 }.
turn-over-contest = **Over:** { $score } of { $full }.
turn-given-up-contest = **Given up** at { $score } of { $full }.
turn-expired-daily = **The day was over** before this game was: { $score } of { $full } count.
turn-ended-daily = `/leaderboard` shows where you stand, `/share` tells your friends without giving anything away. The next deal comes <t:{ $time }:R>.
turn-ended-challenge = The card of the challenge shows how the others do.
turn-footer-daily = { $game } · daily of { $date }
turn-footer-daily-ended = { $game } · daily of { $date } · seed { $seed }
turn-footer-hidden = { $game } · { $rules } · challenge
picture-daily = daily { $date }
picture-challenge = challenge
fault-not-in-contest = A daily game, and one of a challenge, is played without this: everybody has the same chance.
fault-daily-first = Those are the cards of today’s daily game. Finish that first: `/daily`.
fault-daily-spent = You have had today’s attempt; it was deleted with the rest when you asked to be forgotten. The next deal comes <t:{ $time }:R>.
command-daily = daily
    .description = Today’s Aces Up: the same cards for everyone, one attempt
fault-bad-day = “{ $text }” is no day with a board. Write a date such as 2026-12-24, or choose from the list.
control-board = Leaderboard

## Boards

board-title = ## { $days } · { $scope }
board-scope-server = this server
board-scope-everyone = everyone
board-when-today = Today
board-when-yesterday = Yesterday
board-when-week = This week
board-when-all = All time
board-days = { $first } – { $last }
board-line = { $rank } { $score } · { $name }
board-line-days = { $rank } { $score } · { $name } ({ $days ->
    [one] one day
   *[other] { $days } days
 })
board-somebody = a player
board-own = You: number { $rank } of { $players }, with { $score }
board-own-hidden = You would be number { $rank }, with { $score }. Nobody else sees you here, as you chose in `/settings`.
board-playing = Your own game of the day is still going: `/daily`.
board-empty = Nobody has finished yet. `/daily` deals you in.
board-empty-dealt = Nobody has finished yet.
board-empty-hidden = There is nobody to be seen here yet.
board-empty-over = Nobody played.
board-players = { $count ->
    [0] no players
    [one] one player
   *[other] { $count } players
 }
board-average = average { $average }
board-final = final
board-ends = ends <t:{ $time }:R>
board-best-proven = Best possible: { $best } (proven)
board-best-found = Best possible: at least { $best }, at most { $bound }
board-deal = The cards: `{ $code }`
decimal-mark = .
board-more = Which days
board-mine-server = This server
board-mine-everyone = Everyone
board-picture-title = Discards on { $days }
board-picture-title-days = Discards, { $days }
board-picture-own = you: { $score }
board-picture-mean = average { $average }
board-picture-axis = cards discarded
board-alt = How many players discarded how many cards.
board-alt-own = You discarded { $score }.
board-alt-score = { $score }: { $count }
fault-no-server = In a direct message there is no server’s board. Choose everyone.
command-leaderboard = leaderboard
    .description = Who discarded the most in the daily game
    .scope = scope
    .scope-description = Those who play on this server, or everyone
    .when = when
    .when-description = Today, a date, this week or all time

## The daily post

control-play-daily = Play today’s daily
post-new = **The daily game of { $date }** is here: Aces Up, the same cards for everyone, one attempt. It ends <t:{ $time }:R>.
post-best = The best game of the day:
post-best-alt = The best game of { $date } as an animation: { $score } of { $full }.
channel-chosen = Each day I will post the results and the new daily game in { $channel }, in English. `/daily-channel off:True` ends that.
channel-none = No channel is chosen. `/daily-channel channel:#name` chooses one for the results and the new daily game of each day.
channel-now = The daily post goes to { $channel }. `/daily-channel off:True` ends that, another channel moves it.
channel-off = There are no daily posts any more.
channel-off-none = There were no daily posts.
trouble-forbidden = I could not post in { $channel }: I may not write there. Somebody who manages the server can give me **View Channel**, **Send Messages** and **Attach Files** in it, or `/daily-channel` can choose another one.
trouble-files = I posted in { $channel } without pictures, because I may not attach files there. Somebody who manages the server can give me **Attach Files**.
trouble-gone = The channel of the daily post on one of your servers is gone, so there are no posts any more. `/daily-channel` chooses another one.
trouble-other = I could not post in { $channel } just now. Try again. (Error { $id })
command-daily-channel = daily-channel
    .description = Post each day’s results and the new daily game in a channel
    .channel = channel
    .channel-description = Where; leave it out to see what is chosen
    .off = off
    .off-description = No more daily posts
## Sharing a deal

share-daily = { $game } · daily { $date } · { $score }/{ $full } { $squares }
share-result = { $game } · { $score }/{ $full } · { $code }
share-deal = { $game } · { $code }
share-play = Play this deal
turn-new-copy = **A copy of that game:** { $score } of { $full } after { $moves ->
    [one] one move
   *[other] { $moves } moves
 }. It does not count in your statistics; `/undo` goes back in it.
fault-code-alone = A code says all about a deal: leave out game, rules and seed.
fault-certain-deal = A seed or a code is one certain deal, winnable or not: leave `seed` and `code` empty, or `winnable`.
fault-no-winnable = { $looks ->
    [yes] I know no deal of these rules yet that can be won. I am looking for one now: try again in a minute
   *[no] I know no deal of these rules that can be won, and can’t look for one now
 }{ $rules ->
    [none] .
   *[other] , or choose { $rules }.
 }
fault-code-move = Move { $number } of that game, { $move }, can’t be played. { $why }
fault-shared-gone = That game is not there any more. `/new code:…` with a code that was shared deals the same cards.
fault-code-no-move = Moves are written such as `3-5`, `w-fh` or `3-5x2`.
fault-code-too-many-moves = That game has more moves than I keep: at most { $limit }.
fault-share-later = { $contest ->
    [daily] You can share the daily game when you have finished it.
   *[other] You can share a game of a challenge when everybody in it has finished; until then its code is a secret.
 }
command-share = share
    .description = Post your game’s code, or how the daily went, without giving anything away

## Challenges

names-and = { $first } and { $last }
challenge-title = ### { $creator } challenges { $friends }
challenge-title-open = ### { $creator } challenges you all
challenge-title-nobody = ### A challenge
challenge-deal = **{ $game } · { $rules }**: the same cards for everyone, each on a table of their own, without undo and hints.
challenge-ended = **{ $rank }.** { $name } · **{ $score }** in { $moves ->
    [one] one move
   *[other] { $moves } moves
 }
challenge-given-up = **{ $rank }.** { $name } · **{ $score }**, gave up at move { $moves }
challenge-playing = ▸ { $name } · playing: { $score } after { $moves ->
    [one] one move
   *[other] { $moves } moves
 }
challenge-waiting = ▹ { $name } · not started
challenge-empty = Nobody is in it any more.
challenge-winner = 🏆 { $names } **wins with { $score }!**
challenge-tie = 🤝 **A tie with { $score }:** { $names }
challenge-code = Code: `{ $code }`
challenge-open = Anybody can join until <t:{ $time }:f>, <t:{ $time }:R>, as long as there are fewer than ten.
challenge-closed = The cards are a secret until everybody has finished.
challenge-final = Everybody has finished. `/new code:…` with this code deals the cards to anyone.
challenge-play = Play
challenge-show = Refresh
challenge-compare = Compare
fault-no-such-challenge = That challenge is gone. `/challenge` makes a new one.
fault-not-invited = This challenge is for those whom it names. `/challenge` makes one of your own.
fault-challenge-full = This challenge has as many players as it can. `/challenge` makes another one.
fault-challenge-closed = The time to join this challenge is over. `/challenge` makes another one.
fault-no-player = Bots don’t play. Challenge a person, or name nobody: then anybody can join.
fault-nobody-else = That is yourself. Name somebody else.
command-challenge = challenge
    .description = Play the same cards as friends, and see who does best
    .game = game
    .game-description = Which solitaire
    .rules = rules
    .rules-description = Which rules; the list has the usual ones
    .seed = seed
    .seed-description = A number or any text; leave it out for cards that nobody can know
    .friend1 = friend1
    .friend1-description = Whom you challenge; name nobody and anybody can join
    .friend2 = friend2
    .friend2-description = One more
    .friend3 = friend3
    .friend3-description = One more
    .friend4 = friend4
    .friend4-description = One more
    .friend5 = friend5
    .friend5-description = One more

## Comparing

compare-title = **The same cards, two games**
compare-you = You
compare-line = { $name }: **{ $score }** of { $full } in { $moves ->
    [one] one move
   *[other] { $moves } moves
 }
compare-same = They are the same, move by move.
compare-parted = **They parted at move { $number }:**
compare-played = { $name }: { $played }
compare-ended = ended here
fault-own-game-first = You can compare when your own game has ended; who only watches can when everybody’s has.
fault-nothing-to-compare = There is no finished game of theirs on these cards that you can see.
command-compare = compare
    .description = Your finished game beside a friend’s on the same cards
    .friend = friend
    .friend-description = Whose game
