-- The daily game, its boards, and what friends do together.
--
-- Foreign keys are not enforced while migrations run, so a table that others refer to can be made anew.
-- "day" is the date of the daily game that this is, or empty. "challenge_id" is the challenge it was dealt
-- for, or 0. "is_copy" is 1 where the first moves came from somebody's text. "won_record" is the record by
-- which the game was first won, whatever was undone since, or empty.
CREATE TABLE games_anew (
    id BIGINT NOT NULL PRIMARY KEY,
    owner_id BIGINT NOT NULL,
    record TEXT NOT NULL,
    undone TEXT NOT NULL,
    revision BIGINT NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('playing', 'won', 'over', 'given_up', 'expired')),
    score BIGINT NOT NULL,
    last_request BIGINT NOT NULL,
    created_ms BIGINT NOT NULL,
    updated_ms BIGINT NOT NULL,
    day TEXT NOT NULL,
    challenge_id BIGINT NOT NULL,
    is_copy BIGINT NOT NULL,
    won_record TEXT NOT NULL
);

INSERT INTO games_anew
SELECT id, owner_id, record, undone, revision, status, score, last_request, created_ms, updated_ms,
    '', 0, 0, CASE WHEN status = 'won' THEN record ELSE '' END
FROM games;

DROP TABLE games;
ALTER TABLE games_anew RENAME TO games;

CREATE INDEX games_by_owner ON games (owner_id, status, updated_ms);
-- One attempt for each user and day, whatever the program does.
CREATE UNIQUE INDEX games_by_day ON games (owner_id, day) WHERE day <> '';
-- For the foreign key, when a game is deleted.
CREATE INDEX players_by_current_game ON players (current_game);
CREATE INDEX games_unsettled ON games (day) WHERE day <> '' AND status = 'playing';

-- Numbers that are given out once, so that a deleted game's id never means another game.
CREATE TABLE counters (
    name TEXT NOT NULL PRIMARY KEY,
    value BIGINT NOT NULL
);
INSERT INTO counters (name, value) SELECT 'games', COALESCE(MAX(id), 0) FROM games;
INSERT INTO counters (name, value) VALUES ('challenges', 0);

-- What a finished daily game scored. A negative user is one who asked to be forgotten, until the day is over.
-- "is_listed" is 0 for those who don't want to be seen on boards.
CREATE TABLE daily_results (
    day TEXT NOT NULL,
    user_id BIGINT NOT NULL,
    game_id BIGINT NOT NULL,
    score BIGINT NOT NULL,
    is_listed BIGINT NOT NULL,
    PRIMARY KEY (day, user_id)
);
CREATE INDEX daily_results_by_score ON daily_results (day, is_listed, score, user_id);
CREATE INDEX daily_results_by_user ON daily_results (user_id, is_listed, day, score);

-- Who had an attempt on a day and asked to be forgotten since: by a keyed hash, until the day is over.
CREATE TABLE daily_marks (
    day TEXT NOT NULL,
    mark TEXT NOT NULL,
    PRIMARY KEY (day, mark)
);

-- In which servers a user has played: those whose boards they can stand on.
CREATE TABLE server_players (
    server_id BIGINT NOT NULL,
    user_id BIGINT NOT NULL,
    PRIMARY KEY (server_id, user_id)
);
CREATE INDEX server_players_by_user ON server_players (user_id);

ALTER TABLE settings ADD COLUMN is_hidden BIGINT NOT NULL DEFAULT 0;

-- The channel of a server that gets the daily post. "day" is that of the last one, which was begun at
-- "begun_ms"; where "is_done" is 1 it has arrived, or can't: "trouble" says why.
CREATE TABLE daily_channels (
    server_id BIGINT NOT NULL PRIMARY KEY,
    channel_id BIGINT NOT NULL,
    language TEXT NOT NULL,
    chosen_by BIGINT NOT NULL,
    day TEXT NOT NULL,
    begun_ms BIGINT NOT NULL,
    is_done BIGINT NOT NULL,
    trouble TEXT NOT NULL
);
CREATE INDEX daily_channels_by_day ON daily_channels (day);

-- One deal for several players, each on their own. "deal" is a record without moves.
CREATE TABLE challenges (
    id BIGINT NOT NULL PRIMARY KEY,
    deal TEXT NOT NULL,
    creator_id BIGINT NOT NULL,
    channel_id BIGINT NOT NULL,
    message_id BIGINT NOT NULL,
    language TEXT NOT NULL,
    is_open BIGINT NOT NULL,
    created_ms BIGINT NOT NULL
);

CREATE INDEX challenges_by_creator ON challenges (creator_id);

-- Who takes part; the game is 0 until it is dealt.
CREATE TABLE challenge_players (
    challenge_id BIGINT NOT NULL REFERENCES challenges (id),
    user_id BIGINT NOT NULL,
    game_id BIGINT NOT NULL,
    place BIGINT NOT NULL,
    PRIMARY KEY (challenge_id, user_id)
);
CREATE INDEX challenge_players_by_user ON challenge_players (user_id);
