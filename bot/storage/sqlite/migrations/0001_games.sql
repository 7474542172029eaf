-- A game is its record (see engine/record.py); score and status are caches of replaying it.
-- "undone" holds the moves that redo would play again, the next one first.
-- "last_request" is the id of the request that made this revision, so that a repeated one is recognised.
CREATE TABLE games (
    id BIGINT NOT NULL PRIMARY KEY,
    owner_id BIGINT NOT NULL,
    record TEXT NOT NULL,
    undone TEXT NOT NULL,
    revision BIGINT NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('playing', 'won', 'over', 'given_up')),
    score BIGINT NOT NULL,
    last_request BIGINT NOT NULL,
    created_ms BIGINT NOT NULL,
    updated_ms BIGINT NOT NULL
);

CREATE INDEX games_by_owner ON games (owner_id, status, updated_ms);

CREATE TABLE players (
    user_id BIGINT NOT NULL PRIMARY KEY,
    current_game BIGINT NOT NULL REFERENCES games (id)
);

-- What the bot remembers between starts that belongs to no player.
CREATE TABLE memory (
    key TEXT NOT NULL PRIMARY KEY,
    value TEXT NOT NULL
);
