-- What the SQLite store has after its migration 4; its scripts say what the columns mean. Texts compare by their
-- bytes, as they do there. Numbers that are given out once come from sequences, so that nobody waits for a counter.
CREATE SEQUENCE game_numbers AS BIGINT;
CREATE SEQUENCE challenge_numbers AS BIGINT;

CREATE TABLE games (
    id BIGINT NOT NULL PRIMARY KEY,
    owner_id BIGINT NOT NULL,
    record TEXT COLLATE "C" NOT NULL,
    undone TEXT COLLATE "C" NOT NULL,
    revision BIGINT NOT NULL,
    status TEXT COLLATE "C" NOT NULL CHECK (status IN ('playing', 'won', 'over', 'given_up', 'expired')),
    score BIGINT NOT NULL,
    last_request BIGINT NOT NULL,
    created_ms BIGINT NOT NULL,
    updated_ms BIGINT NOT NULL,
    day TEXT COLLATE "C" NOT NULL,
    challenge_id BIGINT NOT NULL,
    is_copy BIGINT NOT NULL,
    won_record TEXT COLLATE "C" NOT NULL
);
CREATE INDEX games_by_owner ON games (owner_id, status, updated_ms);
-- One attempt for each user and day, whatever the program does.
CREATE UNIQUE INDEX games_by_day ON games (owner_id, day) WHERE day <> '';
CREATE INDEX games_unsettled ON games (day) WHERE day <> '' AND status = 'playing';

CREATE TABLE players (
    user_id BIGINT NOT NULL PRIMARY KEY,
    current_game BIGINT NOT NULL REFERENCES games (id)
);
CREATE INDEX players_by_current_game ON players (current_game);

CREATE TABLE memory (
    key TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    value TEXT COLLATE "C" NOT NULL
);

CREATE TABLE settings (
    user_id BIGINT NOT NULL PRIMARY KEY,
    language TEXT COLLATE "C" NOT NULL,
    is_private BIGINT NOT NULL,
    as_text BIGINT NOT NULL,
    four_colours BIGINT NOT NULL,
    large_index BIGINT NOT NULL,
    is_hidden BIGINT NOT NULL,
    tells_lost BIGINT NOT NULL
);

CREATE TABLE live_tables (
    game_id BIGINT NOT NULL PRIMARY KEY REFERENCES games (id),
    channel_id BIGINT NOT NULL,
    message_id BIGINT NOT NULL,
    remains TEXT COLLATE "C" NOT NULL
);

CREATE TABLE daily_results (
    day TEXT COLLATE "C" NOT NULL,
    user_id BIGINT NOT NULL,
    game_id BIGINT NOT NULL,
    score BIGINT NOT NULL,
    is_listed BIGINT NOT NULL,
    PRIMARY KEY (day, user_id)
);
CREATE INDEX daily_results_by_score ON daily_results (day, is_listed, score, user_id);
CREATE INDEX daily_results_by_user ON daily_results (user_id, is_listed, day, score);

CREATE TABLE daily_marks (
    day TEXT COLLATE "C" NOT NULL,
    mark TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (day, mark)
);

CREATE TABLE server_players (
    server_id BIGINT NOT NULL,
    user_id BIGINT NOT NULL,
    PRIMARY KEY (server_id, user_id)
);
CREATE INDEX server_players_by_user ON server_players (user_id);

CREATE TABLE daily_channels (
    server_id BIGINT NOT NULL PRIMARY KEY,
    channel_id BIGINT NOT NULL,
    language TEXT COLLATE "C" NOT NULL,
    chosen_by BIGINT NOT NULL,
    day TEXT COLLATE "C" NOT NULL,
    begun_ms BIGINT NOT NULL,
    is_done BIGINT NOT NULL,
    trouble TEXT COLLATE "C" NOT NULL
);
CREATE INDEX daily_channels_by_day ON daily_channels (day);

CREATE TABLE challenges (
    id BIGINT NOT NULL PRIMARY KEY,
    deal TEXT COLLATE "C" NOT NULL,
    creator_id BIGINT NOT NULL,
    channel_id BIGINT NOT NULL,
    message_id BIGINT NOT NULL,
    language TEXT COLLATE "C" NOT NULL,
    is_open BIGINT NOT NULL,
    created_ms BIGINT NOT NULL
);
CREATE INDEX challenges_by_creator ON challenges (creator_id);

CREATE TABLE challenge_players (
    challenge_id BIGINT NOT NULL REFERENCES challenges (id),
    user_id BIGINT NOT NULL,
    game_id BIGINT NOT NULL,
    place BIGINT NOT NULL,
    PRIMARY KEY (challenge_id, user_id)
);
CREATE INDEX challenge_players_by_user ON challenge_players (user_id);

CREATE TABLE winnable_deals (
    game TEXT COLLATE "C" NOT NULL,
    rules TEXT COLLATE "C" NOT NULL,
    number BIGINT NOT NULL,
    line TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (game, rules, number)
);
