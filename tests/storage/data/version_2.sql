-- A database as version 2 of the schema has it. It is never changed: what a newer program does with it is tested.
BEGIN TRANSACTION;
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
INSERT INTO "games" VALUES(1,71,'klondike/d1/42 1-3 s-w 5-fc 7-2 3-2 w-1 s-w s-w s-w 2-3 3-2 s-w 2-3 w-2 s-w s-w s-w','',17,'playing',1,601,1700000000000,1700000100000);
INSERT INTO "games" VALUES(2,71,'acesup/standard/24 1-d 2-1 1-2 4-1 2-4 4-2 3-4 2-3 1-2','s-t',11,'playing',1,602,1700000000001,1700000200000);
INSERT INTO "games" VALUES(3,72,'acesup/standard/7 1-d s-t 3-d s-t s-t 3-d 3-d s-t 2-d s-t s-t 4-d s-t s-t s-t 4-d s-t 4-d s-t s-t 3-d 4-d 3-d 3-d','',24,'over',12,603,1700000000002,1700000300000);
INSERT INTO "games" VALUES(5,72,'klondike/d3/99 3-fh 2-7 1-fd s-w s-w 7-fd s-w w-3 w-6 w-4 s-w 7-4 5-6 s-w s-w w-5 5-3 3-5 s-w 5-3 3-5 s-w w-s 5-3 3-5','s-w',27,'given_up',3,604,1700000000003,1700000400000);
INSERT INTO "games" VALUES(8,9223372036854775807,'acesup/standard/123456789 s-t s-t 3-d s-t 1-d','',5,'playing',2,9223372036854775807,1700000000004,1700000500000);
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
CREATE TABLE migrations (number BIGINT NOT NULL PRIMARY KEY);
INSERT INTO "migrations" VALUES(1);
INSERT INTO "migrations" VALUES(2);
CREATE TABLE players (
    user_id BIGINT NOT NULL PRIMARY KEY,
    current_game BIGINT NOT NULL REFERENCES games (id)
);
INSERT INTO "players" VALUES(71,2);
INSERT INTO "players" VALUES(72,5);
INSERT INTO "players" VALUES(9223372036854775807,8);
CREATE TABLE settings (
    user_id BIGINT NOT NULL PRIMARY KEY,
    language TEXT NOT NULL,
    is_private BIGINT NOT NULL,
    as_text BIGINT NOT NULL,
    four_colours BIGINT NOT NULL,
    large_index BIGINT NOT NULL
);
INSERT INTO "settings" VALUES(71,'no',1,0,1,0);
INSERT INTO "settings" VALUES(72,'',0,1,0,1);
CREATE INDEX games_by_owner ON games (owner_id, status, updated_ms);
COMMIT;
