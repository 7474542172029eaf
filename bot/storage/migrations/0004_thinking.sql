-- What is thought out about games.

-- Whether the user wants to be told when a game can't be won any more.
ALTER TABLE settings ADD COLUMN tells_lost BIGINT NOT NULL DEFAULT 0;
