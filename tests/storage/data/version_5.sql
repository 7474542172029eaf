-- A database as version 5 of the schema has it. It is never changed: what a newer program does with it is tested.
BEGIN TRANSACTION;
CREATE TABLE challenge_players (
    challenge_id BIGINT NOT NULL REFERENCES challenges (id),
    user_id BIGINT NOT NULL,
    game_id BIGINT NOT NULL,
    place BIGINT NOT NULL,
    PRIMARY KEY (challenge_id, user_id)
);
INSERT INTO "challenge_players" VALUES(4,71,11,0);
INSERT INTO "challenge_players" VALUES(4,72,12,1);
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
INSERT INTO "challenges" VALUES(4,'klondike/d1/777',71,910,920,'en',0,1700000600000);
CREATE TABLE counters (
    name TEXT NOT NULL PRIMARY KEY,
    value BIGINT NOT NULL
);
INSERT INTO "counters" VALUES('games',14);
INSERT INTO "counters" VALUES('challenges',4);
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
INSERT INTO "daily_channels" VALUES(900,910,'no',71,'2023-11-14',1700000800000,1,'');
CREATE TABLE daily_marks (
    day TEXT NOT NULL,
    mark TEXT NOT NULL,
    PRIMARY KEY (day, mark)
);
INSERT INTO "daily_marks" VALUES('2023-11-14','5f1d');
CREATE TABLE daily_results (
    day TEXT NOT NULL,
    user_id BIGINT NOT NULL,
    game_id BIGINT NOT NULL,
    score BIGINT NOT NULL,
    is_listed BIGINT NOT NULL,
    PRIMARY KEY (day, user_id)
);
INSERT INTO "daily_results" VALUES('2023-11-14',71,9,18,1);
INSERT INTO "daily_results" VALUES('2023-11-14',73,10,1,0);
CREATE TABLE "games" (
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
INSERT INTO "games" VALUES(1,71,'klondike/d1/42 1-3 s-w 5-fc 7-2 3-2 w-1 s-w s-w s-w 2-3 3-2 s-w 2-3 w-2 s-w s-w s-w','',17,'playing',1,601,1700000000000,1700000100000,'',0,0,'');
INSERT INTO "games" VALUES(2,71,'acesup/standard/24 1-d 2-1 1-2 4-1 2-4 4-2 3-4 2-3 1-2','s-t',11,'playing',1,602,1700000000001,1700000200000,'',0,0,'');
INSERT INTO "games" VALUES(3,72,'acesup/standard/7 1-d s-t 3-d s-t s-t 3-d 3-d s-t 2-d s-t s-t 4-d s-t s-t s-t 4-d s-t 4-d s-t s-t 3-d 4-d 3-d 3-d','',24,'over',12,603,1700000000002,1700000300000,'',0,0,'');
INSERT INTO "games" VALUES(5,72,'klondike/d3/99 3-fh 2-7 1-fd s-w s-w 7-fd s-w w-3 w-6 w-4 s-w 7-4 5-6 s-w s-w w-5 5-3 3-5 s-w 5-3 3-5 s-w w-s 5-3 3-5','s-w',27,'given_up',3,604,1700000000003,1700000400000,'',0,0,'');
INSERT INTO "games" VALUES(8,9223372036854775807,'acesup/standard/123456789 s-t s-t 3-d s-t 1-d','',5,'playing',2,9223372036854775807,1700000000004,1700000500000,'',0,0,'');
INSERT INTO "games" VALUES(9,71,'acesup/standard/5150 4-d 3-4 s-t 2-d 4-d s-t 4-d s-t 4-d 4-d s-t s-t 3-d s-t s-t 4-d s-t s-t 2-d s-t 3-d s-t 4-d 4-d s-t 3-d 4-d 2-d 2-d 3-d 1-d','',31,'over',18,605,1700000600000,1700000700000,'2023-11-14',0,0,'');
INSERT INTO "games" VALUES(10,73,'acesup/standard/31337 s-t s-t s-t 3-d','',4,'expired',1,606,1700000600001,1700000700001,'2023-11-14',0,0,'');
INSERT INTO "games" VALUES(11,71,'klondike/d1/777 s-w 6-7 7-5 1-fh 5-7 7-5','',6,'playing',1,607,1700000600002,1700000700002,'',4,0,'');
INSERT INTO "games" VALUES(12,72,'klondike/d1/777 1-fh 6-7 s-w 7-5 5-7 s-w s-w w-2 7-5 5-7 s-w s-w','',12,'playing',1,608,1700000600003,1700000700003,'',4,0,'');
INSERT INTO "games" VALUES(13,74,'klondike/d1/5 s-w 7-6 s-w','',3,'playing',0,609,1700000600004,1700000700004,'',0,1,'');
INSERT INTO "games" VALUES(14,72,'klondike/d1/15 s-w s-w','',5,'expired',0,610,1600000000000,1600000100000,'',0,0,'');
CREATE TABLE live_tables (
    game_id BIGINT NOT NULL PRIMARY KEY REFERENCES games (id),
    channel_id BIGINT NOT NULL,
    message_id BIGINT NOT NULL,
    remains TEXT NOT NULL
);
INSERT INTO "live_tables" VALUES(2,910,930,'{"headline": "**Aces Up** \u00b7 \u00d8", "footer": "Deal `24`", "filename": "table-2-11.png", "alt": "Aces Up"}');
CREATE TABLE memory (
    key TEXT NOT NULL PRIMARY KEY,
    value TEXT NOT NULL
);
INSERT INTO "memory" VALUES('commands:900000000000000001','a3f5');
INSERT INTO "memory" VALUES('daily-secret','0123456789abcdef0123456789abcdef');
CREATE TABLE migrations (number BIGINT NOT NULL PRIMARY KEY);
INSERT INTO "migrations" VALUES(1);
INSERT INTO "migrations" VALUES(2);
INSERT INTO "migrations" VALUES(3);
INSERT INTO "migrations" VALUES(4);
INSERT INTO "migrations" VALUES(5);
CREATE TABLE players (
    user_id BIGINT NOT NULL PRIMARY KEY,
    current_game BIGINT NOT NULL REFERENCES games (id)
);
INSERT INTO "players" VALUES(71,2);
INSERT INTO "players" VALUES(72,5);
INSERT INTO "players" VALUES(9223372036854775807,8);
INSERT INTO "players" VALUES(73,10);
INSERT INTO "players" VALUES(74,13);
CREATE TABLE server_players (
    server_id BIGINT NOT NULL,
    user_id BIGINT NOT NULL,
    PRIMARY KEY (server_id, user_id)
);
INSERT INTO "server_players" VALUES(900,71);
INSERT INTO "server_players" VALUES(900,72);
INSERT INTO "server_players" VALUES(901,71);
CREATE TABLE settings (
    user_id BIGINT NOT NULL PRIMARY KEY,
    language TEXT NOT NULL,
    is_private BIGINT NOT NULL,
    as_text BIGINT NOT NULL,
    four_colours BIGINT NOT NULL,
    large_index BIGINT NOT NULL
, is_hidden BIGINT NOT NULL DEFAULT 0, tells_lost BIGINT NOT NULL DEFAULT 0);
INSERT INTO "settings" VALUES(71,'no',1,0,1,0,0,1);
INSERT INTO "settings" VALUES(72,'',0,1,0,1,1,0);
CREATE TABLE winnable_deals (
    game TEXT NOT NULL,
    rules TEXT NOT NULL,
    number BIGINT NOT NULL,
    line TEXT NOT NULL,
    PRIMARY KEY (game, rules, number)
);
INSERT INTO "winnable_deals" VALUES('klondike','d3',4711,'s-w');
CREATE INDEX games_by_owner ON games (owner_id, status, updated_ms);
CREATE UNIQUE INDEX games_by_day ON games (owner_id, day) WHERE day <> '';
CREATE INDEX players_by_current_game ON players (current_game);
CREATE INDEX games_unsettled ON games (day) WHERE day <> '' AND status = 'playing';
CREATE INDEX daily_results_by_score ON daily_results (day, is_listed, score, user_id);
CREATE INDEX daily_results_by_user ON daily_results (user_id, is_listed, day, score);
CREATE INDEX server_players_by_user ON server_players (user_id);
CREATE INDEX daily_channels_by_day ON daily_channels (day);
CREATE INDEX challenge_players_by_user ON challenge_players (user_id);
CREATE INDEX games_untouched ON games (updated_ms, id) WHERE status = 'playing' AND day = '';
CREATE INDEX games_in_order ON games (owner_id, id);
CREATE INDEX daily_channels_begun ON daily_channels (day, begun_ms) WHERE is_done = 0;
CREATE INDEX daily_channels_by_chooser ON daily_channels (chosen_by, server_id);
CREATE INDEX challenges_by_creator ON challenges (creator_id, created_ms);
COMMIT;
