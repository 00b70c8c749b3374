-- The thread of the agent client that asked for a spawn. Threads are different orchestrators. The id of the project is the
-- name of its schema.
ALTER TABLE spawns ADD COLUMN thread TEXT;
