BEGIN TRANSACTION;
CREATE TABLE challenge_players (
    challenge_id BIGINT NOT NULL REFERENCES challenges (id),
    user_id BIGINT NOT NULL,
    game_id BIGINT NOT NULL,
    place BIGINT NOT NULL,
    PRIMARY KEY (challenge_id, user_id)
);
INSERT INTO "challenge_players" VALUES(1,830000000000000001,29,1);
INSERT INTO "challenge_players" VALUES(1,830000000000000002,30,2);
INSERT INTO "challenge_players" VALUES(2,830000000000000002,31,1);
INSERT INTO "challenge_players" VALUES(2,830000000000000003,32,2);
INSERT INTO "challenge_players" VALUES(2,830000000000000001,0,3);
INSERT INTO "challenge_players" VALUES(3,830000000000000003,33,1);
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
INSERT INTO "challenges" VALUES(1,'acesup/standard/over',830000000000000001,810000000000000001,1577143694224523645,'en',0,1767828311000);
INSERT INTO "challenges" VALUES(2,'klondike/d1/going',830000000000000002,810000000000000001,1577143697865179551,'no',0,1767828511000);
INSERT INTO "challenges" VALUES(3,'acesup/pairs/open',830000000000000003,810000000000000001,1577143699530318255,'en',1,1767828611000);
CREATE TABLE counters (
    name TEXT NOT NULL PRIMARY KEY,
    value BIGINT NOT NULL
);
INSERT INTO "counters" VALUES('games',34);
INSERT INTO "counters" VALUES('challenges',3);
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
INSERT INTO "daily_channels" VALUES(800000000000000001,810000000000000001,'en',830000000000000001,'2026-01-08',1767826801000,1,'');
INSERT INTO "daily_channels" VALUES(800000000000000002,810000000000000003,'no',830000000000000002,'2026-01-08',1767826801000,1,'');
CREATE TABLE daily_marks (
    day TEXT NOT NULL,
    mark TEXT NOT NULL,
    PRIMARY KEY (day, mark)
);
INSERT INTO "daily_marks" VALUES('2026-01-08','032e073f7c9c0964dd93affb2e85bdc727b1730e9f9e0935612201f2b155f833');
CREATE TABLE daily_results (
    day TEXT NOT NULL,
    user_id BIGINT NOT NULL,
    game_id BIGINT NOT NULL,
    score BIGINT NOT NULL,
    is_listed BIGINT NOT NULL,
    PRIMARY KEY (day, user_id)
);
INSERT INTO "daily_results" VALUES('2026-01-07',830000000000000001,1,4,1);
INSERT INTO "daily_results" VALUES('2026-01-07',830000000000000002,2,4,1);
INSERT INTO "daily_results" VALUES('2026-01-08',830000000000000001,3,7,1);
INSERT INTO "daily_results" VALUES('2026-01-08',-6,6,0,1);
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
INSERT INTO "games" VALUES(1,830000000000000001,'acesup/standard/2026-01-07-i6zkjzzdqd7yo3kvhgboaky4sk 4-d s-t 1-d 2-d 4-d s-t','',5,'given_up',4,1577143665032167501,1767776460000,1767776520000,'2026-01-07',0,0,'');
INSERT INTO "games" VALUES(2,830000000000000002,'acesup/standard/2026-01-07-i6zkjzzdqd7yo3kvhgboaky4sk 4-d s-t 1-d 2-d 4-d s-t','',5,'given_up',4,1577143666919604325,1767776540000,1767776600000,'2026-01-07',0,0,'');
INSERT INTO "games" VALUES(3,830000000000000001,'acesup/standard/2026-01-08-ipiiarg7lnwiw56u6xkljljag4 3-d 4-d s-t 1-d 2-d 3-d s-t 1-d 1-d s-t','',7,'given_up',7,1577143673387221135,1767826821000,1767826891000,'2026-01-08',0,0,'');
INSERT INTO "games" VALUES(4,830000000000000002,'acesup/standard/2026-01-08-ipiiarg7lnwiw56u6xkljljag4 s-t','',1,'playing',0,1577143673756319894,1767826911000,1767826931000,'2026-01-08',0,0,'');
INSERT INTO "games" VALUES(5,830000000000000003,'acesup/standard/2026-01-08-ipiiarg7lnwiw56u6xkljljag4','',0,'playing',0,1577143673953452186,1767826951000,1767826951000,'2026-01-08',0,0,'');
INSERT INTO "games" VALUES(7,830000000000000001,'klondike/d1/36 s-w','',1,'playing',0,1577143675538899121,1767827071000,1767827091000,'',0,0,'');
INSERT INTO "games" VALUES(8,830000000000000001,'klondike/d3p2r/Hei%20og%20hå s-w','s-w',3,'playing',0,1577143677266952382,1767827111000,1767827171000,'',0,0,'');
INSERT INTO "games" VALUES(9,830000000000000002,'klondike/d1p1/7 s-w','',1,'playing',0,1577143677753491653,1767827191000,1767827211000,'',0,0,'');
INSERT INTO "games" VALUES(10,830000000000000002,'klondike/d1p1r/266 5-fd 7-fs s-w s-w s-w w-3 s-w s-w s-w s-w w-4 s-w w-7 s-w s-w s-w s-w s-w s-w s-w s-w w-fh 1-7 w-1 6-1 6-7 s-w w-7 s-w s-w s-w s-w s-w w-7 5-7 5-fh 5-fd s-w w-2 3-fd 4-7 4-fd 4-2 2-4x3 4-5x4 7-4x8 4-1x9 w-4 7-4 3-7 3-fc w-3 6-3 6-2 6-fc 1-fc 7-fc 7-fd w-7 w-7 w-4 w-fs w-fh 1-fh 6-fc w-5 w-2 7-2x3 7-fs 3-fs 3-fh 1-fs 3-fc 7-fs 1-fd 1-fc w-4 w-fh 5-fh 5-fc 1-fh w-fd 2-fd 2-fc w-5 w-fh w-fs 5-fs 5-fd 1-fs 4-fc 5-fs 1-fd 2-fh 5-fd 4-fh 2-fc 1-fs 4-fc 5-fs 2-fd 1-fh 4-fd 1-fc 2-fs s-w','',0,'playing',51,1577143678235836620,1767827251000,1767827251000,'',0,1,'');
INSERT INTO "games" VALUES(11,830000000000000003,'acesup/standard/462 2-d 4-d s-t 1-d s-t 3-d 2-d 4-d 1-d s-t s-t 3-d 3-d s-t 1-d 3-d s-t 4-d 4-d 4-d 1-d s-t 4-d s-t 3-d 1-d 4-d 2-d s-t 4-d s-t 3-d 4-d 4-d 3-d 3-d 3-d 3-d 4-d 2-4 2-d 2-d s-t 4-d 1-d s-t 2-d','',0,'playing',34,1577143678516854992,1767827271000,1767827271000,'',0,1,'');
INSERT INTO "games" VALUES(12,830000000000000003,'acesup/cell/4 s-t','',1,'playing',0,1577143679112446168,1767827291000,1767827311000,'',0,0,'');
INSERT INTO "games" VALUES(13,830000000000000004,'klondike/d3/4 2-fs 7-fs s-w s-w s-w s-w s-w s-w s-w s-w w-fd 7-3 5-1 7-2 w-s s-w s-w s-w s-w s-w s-w w-1 7-1 s-w s-w w-s s-w s-w s-w s-w s-w s-w s-w w-7 s-w w-s s-w s-w s-w s-w s-w s-w w-5 7-5x2 7-5 6-7 6-1 3-6x2 s-w w-s s-w w-5 s-w s-w s-w s-w s-w s-w w-s s-w s-w s-w s-w s-w w-fd s-w s-w w-s s-w w-1 s-w s-w w-1 s-w w-7 s-w s-w w-5 w-s s-w s-w s-w w-7 s-w s-w w-7 w-2 w-s s-w w-2 1-4x7 3-1 w-3 w-7 s-w w-3 w-7 6-7x3 6-fh 4-fh 6-fs s-w s-w w-s s-w w-6 5-6x7 5-2 5-3 s-w w-2 3-5 3-fh 7-fh 6-fs 6-fh 7-fs 6-fs 4-7x3 4-fh 4-fs 2-fs 5-3x2 w-5 w-5 w-fh 4-fh 4-fs 4-6 4-fc 3-fc 3-fd 7-fc 3-fc 7-fd 3-fd 7-fc 6-fc 7-fd 6-fd 7-fc 6-fc 7-fd 2-fd 6-fh 7-fc 2-fc 6-fs 7-fd 2-fd 7-fc 4-fs 5-fd w-fh 2-fs 2-fd 6-fh 6-fc','',0,'playing',48,1577143679351521499,1767827331000,1767827331000,'',0,1,'');
INSERT INTO "games" VALUES(14,830000000000000004,'acesup/pairs/4 s-t','',1,'playing',0,1577143680047775971,1767827351000,1767827371000,'',0,0,'');
INSERT INTO "games" VALUES(15,830000000000000005,'acesup/standard/462 2-d 4-d s-t 1-d s-t 3-d 2-d 4-d 1-d s-t s-t 3-d 3-d s-t 1-d 3-d s-t 4-d 4-d 4-d 1-d s-t 4-d s-t 3-d 1-d 4-d 2-d s-t 4-d s-t 3-d 4-d 4-d 3-d 3-d 3-d 3-d 4-d 2-4 2-d 2-d s-t 4-d 1-d s-t 2-d 2-d 2-d 3-d 1-d 2-d 2-d 2-d 2-d 1-2 1-d 1-d 1-d 1-d 1-d','',0,'playing',47,1577143680655950057,1767827411000,1767827411000,'',0,1,'');
INSERT INTO "games" VALUES(16,830000000000000005,'acesup/standard/mormor s-t','',1,'playing',0,1577143681192820978,1767827431000,1767827451000,'',0,0,'');
INSERT INTO "games" VALUES(17,830000000000000006,'acesup/aces/1 s-t','',1,'playing',0,1577143682203648255,1767827511000,1767827531000,'',0,0,'');
INSERT INTO "games" VALUES(18,830000000000000006,'acesup/cell/8 s-t 2-d 2-d 1-2 1-d 4-c 4-d s-t 3-d 4-d 2-4 4-d 3-4 3-d 1-3 s-t 1-d c-1 3-d 2-d 4-d s-t 1-c 3-d 3-d 4-3 3-d 4-3 c-4 2-c 4-d s-t s-t 3-d s-t 2-d 1-d 4-d s-t s-t 4-d s-t 2-d 4-d 4-d 4-d 4-d c-4 4-d 2-4 2-d 2-d 2-d 4-c 1-4 1-d 3-d 3-d 3-d 3-d 3-d 4-d 1-4 4-d 1-4 1-d 4-d c-4 s-t 2-c 2-d 4-2','',0,'playing',41,1577143682425946370,1767827551000,1767827551000,'',0,1,'');
INSERT INTO "games" VALUES(19,830000000000000005,'klondike/d3/in%20words s-w','',1,'playing',0,1577143685210964236,1767827631000,1767827651000,'',0,0,'');
INSERT INTO "games" VALUES(20,830000000000000007,'klondike/d3/4 2-fs 7-fs s-w s-w s-w s-w s-w s-w s-w s-w w-fd 7-3 5-1 7-2 w-s s-w s-w s-w s-w s-w s-w w-1 7-1 s-w s-w w-s s-w s-w s-w s-w s-w s-w s-w w-7 s-w w-s s-w s-w s-w s-w s-w s-w w-5 7-5x2 7-5 6-7 6-1 3-6x2 s-w w-s s-w w-5 s-w s-w s-w s-w s-w s-w w-s s-w s-w s-w s-w s-w w-fd s-w s-w w-s s-w w-1 s-w s-w w-1 s-w w-7 s-w s-w w-5 w-s s-w s-w s-w w-7 s-w s-w w-7 w-2 w-s s-w w-2 1-4x7 3-1 w-3 w-7 s-w w-3 w-7 6-7x3 6-fh 4-fh 6-fs s-w s-w w-s s-w w-6 5-6x7 5-2 5-3 s-w w-2 3-5 3-fh 7-fh 6-fs 6-fh 7-fs 6-fs 4-7x3 4-fh 4-fs 2-fs 5-3x2 w-5 w-5 w-fh 4-fh 4-fs 4-6 4-fc 3-fc 3-fd 7-fc 3-fc 7-fd 3-fd 7-fc 6-fc 7-fd 6-fd 7-fc 6-fc 7-fd 2-fd 6-fh 7-fc 2-fc 6-fs 7-fd 2-fd 7-fc 4-fs 5-fd w-fh 2-fs 2-fd 6-fh 6-fc 5-fc 7-fh 1-fh 7-fs','',1,'won',52,1577143685903024401,1767827671000,1767827691000,'',0,1,'klondike/d3/4 2-fs 7-fs s-w s-w s-w s-w s-w s-w s-w s-w w-fd 7-3 5-1 7-2 w-s s-w s-w s-w s-w s-w s-w w-1 7-1 s-w s-w w-s s-w s-w s-w s-w s-w s-w s-w w-7 s-w w-s s-w s-w s-w s-w s-w s-w w-5 7-5x2 7-5 6-7 6-1 3-6x2 s-w w-s s-w w-5 s-w s-w s-w s-w s-w s-w w-s s-w s-w s-w s-w s-w w-fd s-w s-w w-s s-w w-1 s-w s-w w-1 s-w w-7 s-w s-w w-5 w-s s-w s-w s-w w-7 s-w s-w w-7 w-2 w-s s-w w-2 1-4x7 3-1 w-3 w-7 s-w w-3 w-7 6-7x3 6-fh 4-fh 6-fs s-w s-w w-s s-w w-6 5-6x7 5-2 5-3 s-w w-2 3-5 3-fh 7-fh 6-fs 6-fh 7-fs 6-fs 4-7x3 4-fh 4-fs 2-fs 5-3x2 w-5 w-5 w-fh 4-fh 4-fs 4-6 4-fc 3-fc 3-fd 7-fc 3-fc 7-fd 3-fd 7-fc 6-fc 7-fd 6-fd 7-fc 6-fc 7-fd 2-fd 6-fh 7-fc 2-fc 6-fs 7-fd 2-fd 7-fc 4-fs 5-fd w-fh 2-fs 2-fd 6-fh 6-fc 5-fc 7-fh 1-fh 7-fs');
INSERT INTO "games" VALUES(21,830000000000000007,'klondike/d1p1/103 s-w s-w s-w s-w s-w s-w s-w s-w s-w s-w s-w s-w s-w s-w s-w s-w s-w','',0,'over',0,1577143686129516822,1767827731000,1767827731000,'',0,1,'');
INSERT INTO "games" VALUES(22,830000000000000007,'acesup/standard/462 s-t','',2,'given_up',0,1577143687727546662,1767827751000,1767827811000,'',0,0,'');
INSERT INTO "games" VALUES(23,830000000000000007,'klondike/d3/given%20up s-w','',2,'given_up',0,1577143689195553080,1767827851000,1767827911000,'',0,0,'');
INSERT INTO "games" VALUES(24,830000000000000008,'klondike/d3/4 2-fs 7-fs s-w s-w s-w s-w s-w s-w s-w s-w w-fd 7-3 5-1 7-2 w-s s-w s-w s-w s-w s-w s-w w-1 7-1 s-w s-w w-s s-w s-w s-w s-w s-w s-w s-w w-7 s-w w-s s-w s-w s-w s-w s-w s-w w-5 7-5x2 7-5 6-7 6-1 3-6x2 s-w w-s s-w w-5 s-w s-w s-w s-w s-w s-w w-s s-w s-w s-w s-w s-w w-fd s-w s-w w-s s-w w-1 s-w s-w w-1 s-w w-7 s-w s-w w-5 w-s s-w s-w s-w w-7 s-w s-w w-7 w-2 w-s s-w w-2 1-4x7 3-1 w-3 w-7 s-w w-3 w-7 6-7x3 6-fh 4-fh 6-fs s-w s-w w-s s-w w-6 5-6x7 5-2 5-3 s-w w-2 3-5 3-fh 7-fh 6-fs 6-fh 7-fs 6-fs 4-7x3 4-fh 4-fs 2-fs 5-3x2 w-5 w-5 w-fh 4-fh 4-fs 4-6 4-fc 3-fc 3-fd 7-fc 3-fc 7-fd 3-fd 7-fc 6-fc 7-fd 6-fd 7-fc 6-fc 7-fd 2-fd 6-fh 7-fc 2-fc 6-fs 7-fd 2-fd 7-fc 4-fs 5-fd w-fh 2-fs 2-fd 6-fh 6-fc 5-fc 7-fh 1-fh 7-fs','',1,'won',52,1577143689770172736,1767827931000,1767827951000,'',0,1,'klondike/d3/4 2-fs 7-fs s-w s-w s-w s-w s-w s-w s-w s-w w-fd 7-3 5-1 7-2 w-s s-w s-w s-w s-w s-w s-w w-1 7-1 s-w s-w w-s s-w s-w s-w s-w s-w s-w s-w w-7 s-w w-s s-w s-w s-w s-w s-w s-w w-5 7-5x2 7-5 6-7 6-1 3-6x2 s-w w-s s-w w-5 s-w s-w s-w s-w s-w s-w w-s s-w s-w s-w s-w s-w w-fd s-w s-w w-s s-w w-1 s-w s-w w-1 s-w w-7 s-w s-w w-5 w-s s-w s-w s-w w-7 s-w s-w w-7 w-2 w-s s-w w-2 1-4x7 3-1 w-3 w-7 s-w w-3 w-7 6-7x3 6-fh 4-fh 6-fs s-w s-w w-s s-w w-6 5-6x7 5-2 5-3 s-w w-2 3-5 3-fh 7-fh 6-fs 6-fh 7-fs 6-fs 4-7x3 4-fh 4-fs 2-fs 5-3x2 w-5 w-5 w-fh 4-fh 4-fs 4-6 4-fc 3-fc 3-fd 7-fc 3-fc 7-fd 3-fd 7-fc 6-fc 7-fd 6-fd 7-fc 6-fc 7-fd 2-fd 6-fh 7-fc 2-fc 6-fs 7-fd 2-fd 7-fc 4-fs 5-fd w-fh 2-fs 2-fd 6-fh 6-fc 5-fc 7-fh 1-fh 7-fs');
INSERT INTO "games" VALUES(25,830000000000000008,'klondike/d1p1/103 s-w s-w s-w s-w s-w s-w s-w s-w s-w s-w s-w s-w s-w s-w s-w s-w s-w','',0,'over',0,1577143690189603141,1767827991000,1767827991000,'',0,1,'');
INSERT INTO "games" VALUES(26,830000000000000008,'acesup/standard/462 s-t','',2,'given_up',0,1577143691485643093,1767828011000,1767828071000,'',0,0,'');
INSERT INTO "games" VALUES(27,830000000000000008,'klondike/d3/given%20up s-w','',2,'given_up',0,1577143692496470374,1767828111000,1767828171000,'',0,0,'');
INSERT INTO "games" VALUES(28,830000000000000007,'acesup/standard/462','',1,'given_up',0,1577143693352108404,1767828211000,1767828251000,'',0,0,'');
INSERT INTO "games" VALUES(29,830000000000000001,'acesup/standard/over s-t','',2,'given_up',0,1577143695000469898,1767828331000,1767828391000,'',1,0,'');
INSERT INTO "games" VALUES(30,830000000000000002,'acesup/standard/over s-t','',2,'given_up',0,1577143696363618713,1767828411000,1767828471000,'',1,0,'');
INSERT INTO "games" VALUES(31,830000000000000002,'klondike/d1/going s-w','',1,'playing',0,1577143698758566308,1767828531000,1767828551000,'',2,0,'');
INSERT INTO "games" VALUES(32,830000000000000003,'klondike/d1/going s-w','',1,'playing',0,1577143699257688491,1767828571000,1767828591000,'',2,0,'');
INSERT INTO "games" VALUES(33,830000000000000003,'acesup/pairs/open','',0,'playing',0,1577143699597427120,1767828631000,1767828631000,'',3,0,'');
INSERT INTO "games" VALUES(34,830000000000000001,'klondike/d1/hers','',0,'playing',0,1577143703129031150,1767829063000,1767829063000,'',0,0,'');
CREATE TABLE live_tables (
    game_id BIGINT NOT NULL PRIMARY KEY REFERENCES games (id),
    channel_id BIGINT NOT NULL,
    message_id BIGINT NOT NULL,
    remains TEXT NOT NULL
);
INSERT INTO "live_tables" VALUES(1,810000000000000001,1577143664843423817,'{"headline": "**Given up** at 4 of 48.\n`/leaderboard` shows where you stand, `/share` tells your friends without giving anything away. The next deal comes <t:1767826800:R>.", "footer": "Aces Up \u00b7 daily of 7 January 2026 \u00b7 seed `2026-01-07-i6zkjzzdqd7yo3kvhgboaky4sk`", "filename": "table-1-5.png", "alt": "Given up at 4 of 48.\n/leaderboard shows where you stand, /share tells your friends without giving anything away. The next deal comes 2026-01-07 23:00 UTC.\nStock: 40 face down\n1: 10\u2665 Q\u2664\n2: 10\u2666 6\u2666\n3: K\u2665 8\u2667 J\u2665\n4: 4\u2666\nDiscarded: 4\nScore 4 of 48"}');
INSERT INTO "live_tables" VALUES(2,810000000000000003,1577143666785386593,'{"headline": "**Gitt opp** p\u00e5 4 av 48.\n`/resultater` viser hvor du ligger, `/del` forteller det til vennene dine uten \u00e5 r\u00f8pe noe. Neste kabal kommer <t:1767826800:R>.", "footer": "Idiotkabalen \u00b7 dagens kabal 7. januar 2026 \u00b7 kode `2026-01-07-i6zkjzzdqd7yo3kvhgboaky4sk`", "filename": "table-2-5.png", "alt": "Gitt opp p\u00e5 4 av 48.\n/resultater viser hvor du ligger, /del forteller det til vennene dine uten \u00e5 r\u00f8pe noe. Neste kabal kommer 2026-01-07 23:00 UTC.\nTalong: 40 med baksiden opp\n1: 10\u2665 Q\u2664\n2: 10\u2666 6\u2666\n3: K\u2665 8\u2667 J\u2665\n4: 4\u2666\nKastet: 4\n4 av 48 i m\u00e5l"}');
INSERT INTO "live_tables" VALUES(3,810000000000000001,1577143673118785675,'{"headline": "**Given up** at 7 of 48.\n`/leaderboard` shows where you stand, `/share` tells your friends without giving anything away. The next deal comes <t:1767913200:R>.", "footer": "Aces Up \u00b7 daily of 8 January 2026 \u00b7 seed `2026-01-08-ipiiarg7lnwiw56u6xkljljag4`", "filename": "table-3-7.png", "alt": "Given up at 7 of 48.\n/leaderboard shows where you stand, /share tells your friends without giving anything away. The next deal comes 2026-01-08 23:00 UTC.\nStock: 36 face down\n1: 8\u2666\n2: 5\u2667 4\u2665 K\u2665\n3: 4\u2666 A\u2667\n4: 7\u2664 10\u2666 Q\u2664\nDiscarded: 7\nScore 7 of 48"}');
INSERT INTO "live_tables" VALUES(4,810000000000000003,1577143673651462291,'{"headline": "**Del ut**: 4\u2667 8\u2667 2\u2667 Q\u2664", "footer": "Idiotkabalen \u00b7 dagens kabal 8. januar 2026", "filename": "table-4-1.png", "alt": "Del ut: 4\u2667 8\u2667 2\u2667 Q\u2664\nTalong: 44 med baksiden opp\n1: 4\u2667 J\u2667\n2: 8\u2667 K\u2665\n3: 2\u2667 7\u2667\n4: Q\u2664 6\u2665\nKastet: 0\n0 av 48 i m\u00e5l"}');
INSERT INTO "live_tables" VALUES(5,1577143673953452185,1577143674007978139,'{"headline": "**The daily game of 8 January 2026.** Everybody gets these cards, once, without undo and hints. Only you see this table. It ends <t:1767913200:R>.\nNew to it? `/rules` shows how it is played, in pictures.", "footer": "Aces Up \u00b7 daily of 8 January 2026", "filename": "table-5-0.png", "alt": "The daily game of 8 January 2026. Everybody gets these cards, once, without undo and hints. Only you see this table. It ends 2026-01-08 23:00 UTC.\nNew to it? /rules shows how it is played, in pictures.\nStock: 48 face down\n1: J\u2667\n2: K\u2665\n3: 7\u2667\n4: 6\u2665\nDiscarded: 0\nScore 0 of 48"}');
INSERT INTO "live_tables" VALUES(7,810000000000000001,1577143675421458606,'{"headline": "**Draw**: 9\u2666", "footer": "Klondike \u00b7 draw 1 \u00b7 seed `36`", "filename": "table-7-1.png", "alt": "Draw: 9\u2666\nStock: 23 face down\nWaste: 9\u2666\n1: 5\u2667\n2: 4\u2664, 1 face down\n3: 4\u2666, 2 face down\n4: 7\u2666, 3 face down\n5: 5\u2664, 4 face down\n6: Q\u2664, 5 face down\n7: K\u2666, 6 face down\nFoundation clubs: empty\nFoundation diamonds: empty\nFoundation hearts: empty\nFoundation spades: empty\nScore 0 of 52"}');
INSERT INTO "live_tables" VALUES(8,810000000000000002,1577143675866054837,'{"headline": "**Taken back:** Draw", "footer": "Klondike \u00b7 draw 3, 2 passes, return from foundations \u00b7 seed `Hei og h\u00e5`", "filename": "table-8-3.png", "alt": "Taken back: Draw\nStock: 21 face down\nWaste: 4\u2664 2\u2665 Q\u2666\n1: 7\u2664\n2: 6\u2664, 1 face down\n3: 7\u2666, 2 face down\n4: 9\u2666, 3 face down\n5: 4\u2666, 4 face down\n6: 6\u2665, 5 face down\n7: 3\u2667, 6 face down\nFoundation clubs: empty\nFoundation diamonds: empty\nFoundation hearts: empty\nFoundation spades: empty\nScore 0 of 52, pass 1 of 2"}');
INSERT INTO "live_tables" VALUES(9,810000000000000003,1577143677606691010,'{"headline": "**Tips:** 3 \u2192 7: Q\u2666 p\u00e5 K\u2664", "footer": "Sjuerkabalen \u00b7 trekk 1, \u00e9n gang gjennom talongen \u00b7 kode `7`", "filename": "table-9-1-hint.png", "alt": "Tips: 3 \u2192 7: Q\u2666 p\u00e5 K\u2664\nTalong: 23 med baksiden opp\n\u00c5pen haug: J\u2667\n1: 5\u2667\n2: J\u2665, 1 med baksiden opp\n3: Q\u2666, 2 med baksiden opp\n4: 9\u2667, 3 med baksiden opp\n5: 5\u2665, 4 med baksiden opp\n6: K\u2666, 5 med baksiden opp\n7: K\u2664, 6 med baksiden opp\nByggebunke kl\u00f8ver: tom\nByggebunke ruter: tom\nByggebunke hjerter: tom\nByggebunke spar: tom\n0 av 52 i m\u00e5l, runde 1 av 1"}');
INSERT INTO "live_tables" VALUES(10,1577143678235836619,1577143678361665741,'{"headline": "**En kopi av det spillet:** 51 av 52 etter 106 trekk. Den teller ikke i statistikken din; `/angre` g\u00e5r tilbake i den.\nSjuerkabalen som du ikke var ferdig med (0 poeng), er lagt til side; `/spill` henter den fram.", "footer": "Sjuerkabalen \u00b7 trekk 1, \u00e9n gang gjennom talongen, kort kan tas tilbake \u00b7 kode `266`", "filename": "table-10-0.png", "alt": "En kopi av det spillet: 51 av 52 etter 106 trekk. Den teller ikke i statistikken din; /angre g\u00e5r tilbake i den.\nSjuerkabalen som du ikke var ferdig med (0 poeng), er lagt til side; /spill henter den fram.\nTalong: tom\n\u00c5pen haug: K\u2665\n1: tom\n2: tom\n3: tom\n4: tom\n5: tom\n6: tom\n7: tom\nByggebunke kl\u00f8ver: K\u2667\nByggebunke ruter: K\u2666\nByggebunke hjerter: Q\u2665\nByggebunke spar: K\u2664\n51 av 52 i m\u00e5l, runde 1 av 1"}');
INSERT INTO "live_tables" VALUES(11,810000000000000001,1577143678655267025,'{"headline": "**A copy of that game:** 34 of 48 after 47 moves. It does not count in your statistics; `/undo` goes back in it.\nYour daily game is set aside; `/daily` brings it back.", "footer": "Aces Up \u00b7 standard \u00b7 seed `462`", "filename": "table-11-0.png", "alt": "A copy of that game: 34 of 48 after 47 moves. It does not count in your statistics; /undo goes back in it.\nYour daily game is set aside; /daily brings it back.\nStock: empty\n1: 4\u2666 A\u2665 K\u2664 9\u2664 7\u2666 2\u2664 10\u2664\n2: 6\u2664 Q\u2664 9\u2665 Q\u2665 8\u2666 5\u2665\n3: 4\u2665 A\u2666 K\u2666\n4: A\u2664 A\u2667\nDiscarded: 34\nScore 34 of 48"}');
INSERT INTO "live_tables" VALUES(12,1577143673953452185,1577143678944674005,'{"headline": "**Deal**: 5\u2666 K\u2666 6\u2664 3\u2664", "footer": "Aces Up \u00b7 standard + free cell \u00b7 seed `4`", "filename": "table-12-1.png", "alt": "Deal: 5\u2666 K\u2666 6\u2664 3\u2664\nStock: 44 face down\n1: 5\u2666 K\u2664\n2: K\u2666 Q\u2667\n3: 6\u2664 3\u2666\n4: 3\u2664 J\u2664\nDiscarded: 0\nFree cell: empty\nScore 0 of 48"}');
INSERT INTO "live_tables" VALUES(13,810000000000000001,1577143679569625308,'{"headline": "**A copy of that game:** 48 of 52 after 158 moves. It does not count in your statistics; `/undo` goes back in it.\nNew to it? `/rules` shows how it is played, in pictures.", "footer": "Klondike \u00b7 draw 3 \u00b7 seed `4`", "filename": "table-13-0.png", "alt": "A copy of that game: 48 of 52 after 158 moves. It does not count in your statistics; /undo goes back in it.\nNew to it? /rules shows how it is played, in pictures.\nStock: empty\nWaste: empty\n1: K\u2665\n2: empty\n3: empty\n4: empty\n5: K\u2667\n6: empty\n7: Q\u2665 K\u2664\nFoundation clubs: Q\u2667\nFoundation diamonds: K\u2666\nFoundation hearts: J\u2665\nFoundation spades: Q\u2664\nScore 48 of 52"}');
INSERT INTO "live_tables" VALUES(14,810000000000000003,1577143679892586720,'{"headline": "**Bordet ditt.** Siste trekk: Del ut", "footer": "Idiotkabalen \u00b7 vanlige regler + par \u00b7 kode `4`", "filename": "table-14-1.png", "alt": "Bordet ditt. Siste trekk: Del ut\nTalong: 44 med baksiden opp\n1: 5\u2666 K\u2664\n2: K\u2666 Q\u2667\n3: 6\u2664 3\u2666\n4: 3\u2664 J\u2664\nKastet: 0\n0 av 48 i m\u00e5l"}');
INSERT INTO "live_tables" VALUES(15,810000000000000001,1577143680756613354,'{"headline": "**A copy of that game:** 47 of 48 after 61 moves. It does not count in your statistics; `/undo` goes back in it.\nNew to it? `/rules` shows how it is played, in pictures.", "footer": "Aces Up \u00b7 standard \u00b7 seed `462`", "filename": "table-15-0.png", "alt": "A copy of that game: 47 of 48 after 61 moves. It does not count in your statistics; /undo goes back in it.\nNew to it? /rules shows how it is played, in pictures.\nStock: empty\n1: empty\n2: A\u2665\n3: A\u2666 K\u2666\n4: A\u2664 A\u2667\nDiscarded: 47\nScore 47 of 48"}');
INSERT INTO "live_tables" VALUES(16,1577143680928579821,1577143681016660207,'{"headline": "**Bordet ditt.** Siste trekk: Del ut", "footer": "Idiotkabalen \u00b7 vanlige regler \u00b7 kode `mormor`", "filename": "table-16-1.png", "alt": "Bordet ditt. Siste trekk: Del ut\nTalong: 44 med baksiden opp\n1: K\u2665 10\u2665\n2: 9\u2667 K\u2667\n3: 6\u2664 8\u2665\n4: 10\u2666 Q\u2667\nKastet: 0\n0 av 48 i m\u00e5l"}');
INSERT INTO "live_tables" VALUES(17,810000000000000001,1577143682040070396,'{"headline": "**Deal**: 5\u2666 7\u2665 7\u2667 5\u2665", "footer": "Aces Up \u00b7 aces only to empty piles \u00b7 seed `1`", "filename": "table-17-1.png", "alt": "Deal: 5\u2666 7\u2665 7\u2667 5\u2665\nStock: 44 face down\n1: 5\u2666 J\u2666\n2: 7\u2665 2\u2666\n3: 7\u2667 9\u2665\n4: 5\u2665 J\u2667\nDiscarded: 0\nScore 0 of 48"}');
INSERT INTO "live_tables" VALUES(18,810000000000000003,1577143682539192579,'{"headline": "**En kopi av det spillet:** 41 av 48 etter 72 trekk. Den teller ikke i statistikken din; `/angre` g\u00e5r tilbake i den.\nIdiotkabalen som du ikke var ferdig med (0 poeng), er lagt til side; `/spill` henter den fram.", "footer": "Idiotkabalen \u00b7 vanlige regler + fri celle \u00b7 kode `8`", "filename": "table-18-0.png", "alt": "En kopi av det spillet: 41 av 48 etter 72 trekk. Den teller ikke i statistikken din; /angre g\u00e5r tilbake i den.\nIdiotkabalen som du ikke var ferdig med (0 poeng), er lagt til side; /spill henter den fram.\nTalong: 4 med baksiden opp\n1: A\u2667 A\u2665\n2: A\u2666\n3: J\u2664 K\u2667\n4: A\u2664\nKastet: 41\nFri celle: 10\u2665\n41 av 48 i m\u00e5l"}');
INSERT INTO "live_tables" VALUES(19,810000000000000001,1577143685064163595,'{"headline": "**Trekk**: Q\u2664 Q\u2666 9\u2666\nTalong: 21 med baksiden opp\n\u00c5pen haug: 9\u2666 Q\u2666 Q\u2664\n1: 9\u2665\n2: J\u2666, 1 med baksiden opp\n3: A\u2665, 2 med baksiden opp\n4: 10\u2665, 3 med baksiden opp\n5: 7\u2666, 4 med baksiden opp\n6: K\u2667, 5 med baksiden opp\n7: 4\u2666, 6 med baksiden opp\nByggebunke kl\u00f8ver: tom\nByggebunke ruter: tom\nByggebunke hjerter: tom\nByggebunke spar: tom\n0 av 52 i m\u00e5l", "footer": "Sjuerkabalen \u00b7 trekk 3 \u00b7 kode `in words`", "filename": "", "alt": ""}');
INSERT INTO "live_tables" VALUES(20,810000000000000001,1577143685781389582,'{"headline": "**Finished:** 4 moves played.\n\ud83c\udf89 **You won!** 52 of 52 in 162 moves. `/new` deals another.", "footer": "Klondike \u00b7 draw 3 \u00b7 seed `4`", "filename": "table-20-1.png", "alt": "Finished: 4 moves played.\n\ud83c\udf89 You won! 52 of 52 in 162 moves. /new deals another.\nStock: empty\nWaste: empty\n1: empty\n2: empty\n3: empty\n4: empty\n5: empty\n6: empty\n7: empty\nFoundation clubs: K\u2667\nFoundation diamonds: K\u2666\nFoundation hearts: K\u2665\nFoundation spades: K\u2664\nScore 52 of 52"}');
INSERT INTO "live_tables" VALUES(21,810000000000000001,1577143686200819991,'{"headline": "**A copy of that game:** 0 of 52 after 17 moves. It does not count in your statistics; `/undo` goes back in it.", "footer": "Klondike \u00b7 draw 1, once through the stock \u00b7 seed `103`", "filename": "table-21-0.png", "alt": "A copy of that game: 0 of 52 after 17 moves. It does not count in your statistics; /undo goes back in it.\nStock: 7 face down\nWaste: 8\u2666 4\u2667 8\u2667, 14 more\n1: 5\u2665\n2: Q\u2666, 1 face down\n3: 6\u2666, 2 face down\n4: Q\u2665, 3 face down\n5: 6\u2665, 4 face down\n6: 2\u2665, 5 face down\n7: 7\u2666, 6 face down\nFoundation clubs: empty\nFoundation diamonds: empty\nFoundation hearts: empty\nFoundation spades: empty\nScore 0 of 52, pass 1 of 1"}');
INSERT INTO "live_tables" VALUES(22,810000000000000001,1577143687031292194,'{"headline": "**Given up** at 0 of 48. `/new` deals another.\nThe best possible was **48** (proven). You made 0.", "footer": "Aces Up \u00b7 standard \u00b7 seed `462`", "filename": "table-22-2.png", "alt": "Given up at 0 of 48. /new deals another.\nStock: 44 face down\n1: 8\u2667 10\u2664\n2: 5\u2665 4\u2664\n3: K\u2667 K\u2666\n4: Q\u2666 5\u2666\nDiscarded: 0\nScore 0 of 48"}');
INSERT INTO "live_tables" VALUES(23,810000000000000001,1577143688998420788,'{"headline": "**Given up** at 0 of 52. `/new` deals another.", "footer": "Klondike \u00b7 draw 3 \u00b7 seed `given up`", "filename": "table-23-2.png", "alt": "Given up at 0 of 52. /new deals another.\nStock: 21 face down\nWaste: J\u2665 5\u2667 A\u2666\n1: 10\u2665\n2: 6\u2664, 1 face down\n3: A\u2667, 2 face down\n4: A\u2665, 3 face down\n5: Q\u2667, 4 face down\n6: 4\u2667, 5 face down\n7: 8\u2665, 6 face down\nFoundation clubs: empty\nFoundation diamonds: empty\nFoundation hearts: empty\nFoundation spades: empty\nScore 0 of 52"}');
INSERT INTO "live_tables" VALUES(24,1577143689501737275,1577143689619177789,'{"headline": "**Fullf\u00f8rt:** 4 trekk ble gjort.\n\ud83c\udf89 **Kabalen gikk opp!** 52 av 52 p\u00e5 162 trekk. `/ny` deler ut en ny.", "footer": "Sjuerkabalen \u00b7 trekk 3 \u00b7 kode `4`", "filename": "table-24-1.png", "alt": "Fullf\u00f8rt: 4 trekk ble gjort.\n\ud83c\udf89 Kabalen gikk opp! 52 av 52 p\u00e5 162 trekk. /ny deler ut en ny.\nTalong: tom\n\u00c5pen haug: tom\n1: tom\n2: tom\n3: tom\n4: tom\n5: tom\n6: tom\n7: tom\nByggebunke kl\u00f8ver: K\u2667\nByggebunke ruter: K\u2666\nByggebunke hjerter: K\u2665\nByggebunke spar: K\u2664\n52 av 52 i m\u00e5l"}');
INSERT INTO "live_tables" VALUES(25,1577143689501737275,1577143691036852550,'{"headline": "**En kopi av det spillet:** 0 av 52 etter 17 trekk. Den teller ikke i statistikken din; `/angre` g\u00e5r tilbake i den.", "footer": "Sjuerkabalen \u00b7 trekk 1, \u00e9n gang gjennom talongen \u00b7 kode `103`", "filename": "table-25-0.png", "alt": "En kopi av det spillet: 0 av 52 etter 17 trekk. Den teller ikke i statistikken din; /angre g\u00e5r tilbake i den.\nTalong: 7 med baksiden opp\n\u00c5pen haug: 8\u2666 4\u2667 8\u2667, 14 til\n1: 5\u2665\n2: Q\u2666, 1 med baksiden opp\n3: 6\u2666, 2 med baksiden opp\n4: Q\u2665, 3 med baksiden opp\n5: 6\u2665, 4 med baksiden opp\n6: 2\u2665, 5 med baksiden opp\n7: 7\u2666, 6 med baksiden opp\nByggebunke kl\u00f8ver: tom\nByggebunke ruter: tom\nByggebunke hjerter: tom\nByggebunke spar: tom\n0 av 52 i m\u00e5l, runde 1 av 1"}');
INSERT INTO "live_tables" VALUES(26,1577143689501737275,1577143691397562705,'{"headline": "**Du ga opp** med 0 av 48. `/ny` deler ut en ny.\nDet beste som var mulig, var **48** (bevist). Du fikk 0.", "footer": "Idiotkabalen \u00b7 vanlige regler \u00b7 kode `462`", "filename": "table-26-2.png", "alt": "Du ga opp med 0 av 48. /ny deler ut en ny.\nDet beste som var mulig, var 48 (bevist). Du fikk 0.\nTalong: 44 med baksiden opp\n1: 8\u2667 10\u2664\n2: 5\u2665 4\u2664\n3: K\u2667 K\u2666\n4: Q\u2666 5\u2666\nKastet: 0\n0 av 48 i m\u00e5l"}');
INSERT INTO "live_tables" VALUES(27,1577143689501737275,1577143692412584290,'{"headline": "**Du ga opp** med 0 av 52. `/ny` deler ut en ny.", "footer": "Sjuerkabalen \u00b7 trekk 3 \u00b7 kode `given up`", "filename": "table-27-2.png", "alt": "Du ga opp med 0 av 52. /ny deler ut en ny.\nTalong: 21 med baksiden opp\n\u00c5pen haug: J\u2665 5\u2667 A\u2666\n1: 10\u2665\n2: 6\u2664, 1 med baksiden opp\n3: A\u2667, 2 med baksiden opp\n4: A\u2665, 3 med baksiden opp\n5: Q\u2667, 4 med baksiden opp\n6: 4\u2667, 5 med baksiden opp\n7: 8\u2665, 6 med baksiden opp\nByggebunke kl\u00f8ver: tom\nByggebunke ruter: tom\nByggebunke hjerter: tom\nByggebunke spar: tom\n0 av 52 i m\u00e5l"}');
INSERT INTO "live_tables" VALUES(28,810000000000000001,1577143693129810288,'{"headline": "**Given up** at 0 of 48. `/new` deals another.\nThe best possible was **48** (proven). You made 0.", "footer": "Aces Up \u00b7 standard \u00b7 seed `462`", "filename": "table-28-1.png", "alt": "Given up at 0 of 48. /new deals another.\nThe best possible was 48 (proven). You made 0.\nStock: 48 face down\n1: 10\u2664\n2: 4\u2664\n3: K\u2666\n4: 5\u2666\nDiscarded: 0\nScore 0 of 48"}');
INSERT INTO "live_tables" VALUES(29,810000000000000001,1577143694891417990,'{"headline": "**Given up** at 0 of 48.\nThe card of the challenge shows how the others do.", "footer": "Aces Up \u00b7 standard \u00b7 challenge", "filename": "table-29-2.png", "alt": "Given up at 0 of 48.\nThe card of the challenge shows how the others do.\nStock: 44 face down\n1: Q\u2666 2\u2666\n2: 6\u2666 2\u2664\n3: J\u2666 2\u2667\n4: 9\u2666 6\u2664\nDiscarded: 0\nScore 0 of 48"}');
INSERT INTO "live_tables" VALUES(30,810000000000000001,1577143696208429461,'{"headline": "**Gitt opp** p\u00e5 0 av 48.\nKortet for utfordringen viser hvordan det g\u00e5r med de andre.", "footer": "Idiotkabalen \u00b7 vanlige regler \u00b7 utfordring", "filename": "table-30-2.png", "alt": "Gitt opp p\u00e5 0 av 48.\nKortet for utfordringen viser hvordan det g\u00e5r med de andre.\nTalong: 44 med baksiden opp\n1: Q\u2666 2\u2666\n2: 6\u2666 2\u2664\n3: J\u2666 2\u2667\n4: 9\u2666 6\u2664\nKastet: 0\n0 av 48 i m\u00e5l"}');
INSERT INTO "live_tables" VALUES(31,810000000000000001,1577143698313970081,'{"headline": "**Trekk**: 8\u2667", "footer": "Sjuerkabalen \u00b7 trekk 1 \u00b7 utfordring", "filename": "table-31-1.png", "alt": "Trekk: 8\u2667\nTalong: 23 med baksiden opp\n\u00c5pen haug: 8\u2667\n1: 4\u2665\n2: K\u2664, 1 med baksiden opp\n3: 4\u2667, 2 med baksiden opp\n4: K\u2667, 3 med baksiden opp\n5: 2\u2664, 4 med baksiden opp\n6: 2\u2666, 5 med baksiden opp\n7: Q\u2665, 6 med baksiden opp\nByggebunke kl\u00f8ver: tom\nByggebunke ruter: tom\nByggebunke hjerter: tom\nByggebunke spar: tom\n0 av 52 i m\u00e5l"}');
INSERT INTO "live_tables" VALUES(32,810000000000000001,1577143699115082152,'{"headline": "**Draw**: 8\u2667", "footer": "Klondike \u00b7 draw 1 \u00b7 challenge", "filename": "table-32-1.png", "alt": "Draw: 8\u2667\nStock: 23 face down\nWaste: 8\u2667\n1: 4\u2665\n2: K\u2664, 1 face down\n3: 4\u2667, 2 face down\n4: K\u2667, 3 face down\n5: 2\u2664, 4 face down\n6: 2\u2666, 5 face down\n7: Q\u2665, 6 face down\nFoundation clubs: empty\nFoundation diamonds: empty\nFoundation hearts: empty\nFoundation spades: empty\nScore 0 of 52"}');
INSERT INTO "live_tables" VALUES(33,810000000000000001,1577143699756810673,'{"headline": "**Your game in the challenge.** The others get the same cards; nobody has undo or hints. Only you see this table.\nYour game in the challenge is set aside; `/games` brings it back.", "footer": "Aces Up \u00b7 standard + pairs \u00b7 challenge", "filename": "table-33-0.png", "alt": "Your game in the challenge. The others get the same cards; nobody has undo or hints. Only you see this table.\nYour game in the challenge is set aside; /games brings it back.\nStock: 48 face down\n1: 9\u2666\n2: A\u2664\n3: 6\u2664\n4: 2\u2667\nDiscarded: 0\nScore 0 of 48"}');
INSERT INTO "live_tables" VALUES(34,810000000000000001,1577143703225500143,'{"headline": "**New game.** Play with the controls below the table, or type: `/help` says how.", "footer": "Klondike \u00b7 draw 1 \u00b7 seed `hers`", "filename": "table-34-0.png", "alt": "New game. Play with the controls below the table, or type: /help says how.\nStock: 24 face down\nWaste: empty\n1: J\u2667\n2: 2\u2665, 1 face down\n3: K\u2666, 2 face down\n4: 3\u2667, 3 face down\n5: Q\u2666, 4 face down\n6: 9\u2665, 5 face down\n7: 6\u2665, 6 face down\nFoundation clubs: empty\nFoundation diamonds: empty\nFoundation hearts: empty\nFoundation spades: empty\nScore 0 of 52"}');
CREATE TABLE memory (
    key TEXT NOT NULL PRIMARY KEY,
    value TEXT NOT NULL
);
INSERT INTO "memory" VALUES('commands:900000000000000001','6e4e8e7bd4f250011f949563dd5b280f09883abf655930d2cef13ef1f4327ed1');
INSERT INTO "memory" VALUES('daily-seed:2026-01-07','2026-01-07-i6zkjzzdqd7yo3kvhgboaky4sk');
INSERT INTO "memory" VALUES('daily-mark-key','7a732baa13e2c96503e7e658c68b04343f91e1b8707a44f2bb34b9c4d6cebdb3');
INSERT INTO "memory" VALUES('daily-best:2026-01-07','40 40');
INSERT INTO "memory" VALUES('daily-seed:2026-01-08','2026-01-08-ipiiarg7lnwiw56u6xkljljag4');
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
INSERT INTO "players" VALUES(830000000000000001,34);
INSERT INTO "players" VALUES(830000000000000002,31);
INSERT INTO "players" VALUES(830000000000000003,33);
INSERT INTO "players" VALUES(830000000000000004,14);
INSERT INTO "players" VALUES(830000000000000005,19);
INSERT INTO "players" VALUES(830000000000000006,18);
INSERT INTO "players" VALUES(830000000000000007,28);
INSERT INTO "players" VALUES(830000000000000008,27);
CREATE TABLE server_players (
    server_id BIGINT NOT NULL,
    user_id BIGINT NOT NULL,
    PRIMARY KEY (server_id, user_id)
);
INSERT INTO "server_players" VALUES(800000000000000001,830000000000000001);
INSERT INTO "server_players" VALUES(800000000000000002,830000000000000002);
INSERT INTO "server_players" VALUES(800000000000000001,-6);
INSERT INTO "server_players" VALUES(800000000000000001,830000000000000004);
INSERT INTO "server_players" VALUES(800000000000000002,830000000000000008);
CREATE TABLE settings (
    user_id BIGINT NOT NULL PRIMARY KEY,
    language TEXT NOT NULL,
    is_private BIGINT NOT NULL,
    as_text BIGINT NOT NULL,
    four_colours BIGINT NOT NULL,
    large_index BIGINT NOT NULL
, is_hidden BIGINT NOT NULL DEFAULT 0, tells_lost BIGINT NOT NULL DEFAULT 0);
INSERT INTO "settings" VALUES(830000000000000005,'no',0,1,0,0,0,0);
CREATE TABLE winnable_deals (
    game TEXT NOT NULL,
    rules TEXT NOT NULL,
    number BIGINT NOT NULL,
    line TEXT NOT NULL,
    PRIMARY KEY (game, rules, number)
);
INSERT INTO "winnable_deals" VALUES('klondike','d3p7r',77,'s-w');
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
