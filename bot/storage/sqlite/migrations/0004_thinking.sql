-- What is thought out about games.

-- Whether the user wants to be told when a game can't be won any more.
ALTER TABLE settings ADD COLUMN tells_lost BIGINT NOT NULL DEFAULT 0;

-- Deals that were found to be winnable, beside those that ship with the program. "number" is the seed, "line"
-- are moves that win, as they stand in a record. They belong to no player.
CREATE TABLE winnable_deals (
    game TEXT NOT NULL,
    rules TEXT NOT NULL,
    number BIGINT NOT NULL,
    line TEXT NOT NULL,
    PRIMARY KEY (game, rules, number)
);
