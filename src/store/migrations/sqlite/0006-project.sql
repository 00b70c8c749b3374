-- The id of the project, in one row: a database file of another project is refused.
CREATE TABLE project (id TEXT NOT NULL) STRICT;

-- The thread of the agent client that asked for a spawn. Threads are different orchestrators.
ALTER TABLE spawns ADD COLUMN thread TEXT;
