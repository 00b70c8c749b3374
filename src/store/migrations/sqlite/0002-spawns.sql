-- A prompt handed to a subagent, kept whole: the file beside the project can be made again from it.
CREATE TABLE spawns (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  task TEXT NOT NULL REFERENCES tasks (id),
  attempt INTEGER NOT NULL,
  protocol TEXT NOT NULL,
  tier INTEGER NOT NULL CHECK (tier BETWEEN 0 AND 2),
  hash TEXT NOT NULL,
  tokens INTEGER NOT NULL,
  actor TEXT NOT NULL,
  session TEXT,
  at INTEGER NOT NULL,
  started_at INTEGER,
  asked TEXT NOT NULL,
  report TEXT NOT NULL,
  prompt TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX spawns_by_task ON spawns (task, attempt);

-- What a spawn produced: one line of the manifest each.
CREATE TABLE entries (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  task TEXT NOT NULL REFERENCES tasks (id),
  spawn TEXT,
  status TEXT NOT NULL CHECK (status IN ('complete', 'partial', 'blocked')),
  body TEXT NOT NULL,
  sha256 TEXT,
  appended_at INTEGER NOT NULL
) STRICT;
CREATE INDEX entries_by_task ON entries (task, seq);
