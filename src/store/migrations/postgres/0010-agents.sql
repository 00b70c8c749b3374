-- The agents that worked on a spawn, as their clients reported them: tokens, and how often a stop hook sent them back.
ALTER TABLE spawns ADD COLUMN agents TEXT;
