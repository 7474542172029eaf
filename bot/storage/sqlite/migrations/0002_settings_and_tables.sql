-- How a player likes it. An empty language follows Discord's; flags are 0 or 1.
CREATE TABLE settings (
    user_id BIGINT NOT NULL PRIMARY KEY,
    language TEXT NOT NULL,
    is_private BIGINT NOT NULL,
    as_text BIGINT NOT NULL,
    four_colours BIGINT NOT NULL,
    large_index BIGINT NOT NULL
);

-- The message that shows a game and has its controls: at most one for each game. "remains" is what the
-- front end needs to take the controls off again, in its own words.
CREATE TABLE live_tables (
    game_id BIGINT NOT NULL PRIMARY KEY REFERENCES games (id),
    channel_id BIGINT NOT NULL,
    message_id BIGINT NOT NULL,
    remains TEXT NOT NULL
);
