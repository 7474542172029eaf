-- Unfinished games that nobody touches are ended, and no query goes through more than it gives back.

CREATE INDEX games_untouched ON games (updated_ms, id) WHERE status = 'playing' AND day = '';
-- In the order of dealing: a page of a user's games is read without the others.
CREATE INDEX games_in_order ON games (owner_id, id);

-- Posts that were begun and of which nothing is noted yet: few, however many servers there are.
CREATE INDEX daily_channels_begun ON daily_channels (day, begun_ms) WHERE is_done = 0;
CREATE INDEX daily_channels_by_chooser ON daily_channels (chosen_by, server_id);

DROP INDEX challenges_by_creator;
CREATE INDEX challenges_by_creator ON challenges (creator_id, created_ms);
