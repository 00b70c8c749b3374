-- Where the work of a done task is: on its own branch (pending), in the integration branch (merged), or sent back (refused).
ALTER TABLE tasks ADD COLUMN merge TEXT NOT NULL DEFAULT 'none' CHECK (merge IN ('none', 'pending', 'merged', 'refused'));
-- When the merged work reached the user's branch.
ALTER TABLE tasks ADD COLUMN landed_at INTEGER;
CREATE INDEX tasks_unmerged ON tasks (seq) WHERE merge = 'pending';

-- The integration branch of an epic: every merged task is in it.
CREATE TABLE integrations (
  epic TEXT PRIMARY KEY REFERENCES tasks (id),
  branch TEXT NOT NULL,
  -- The user's branch at the first spawn, to which the work lands; NULL if HEAD was detached.
  onto TEXT,
  -- The commit that the branch started from, or the last one that landed.
  base TEXT NOT NULL,
  -- The commit that CLEO last moved the branch to.
  tip TEXT NOT NULL,
  at INTEGER NOT NULL,
  landed_at INTEGER,
  -- A move of the user's branch or of this one that was begun: where both were and where they go. NULL otherwise.
  landing TEXT
) STRICT;

-- The worktree of a spawn.
CREATE TABLE worktrees (
  spawn TEXT PRIMARY KEY,
  task TEXT NOT NULL REFERENCES tasks (id),
  epic TEXT NOT NULL REFERENCES tasks (id),
  -- The top folder of the worktree.
  folder TEXT NOT NULL,
  -- NULL if HEAD is detached: the spawn changes no code.
  branch TEXT,
  -- The commit of the integration branch that the worktree started from.
  base TEXT NOT NULL,
  made_by TEXT NOT NULL CHECK (made_by IN ('cleo', 'client')),
  slot INTEGER NOT NULL,
  port_base INTEGER NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('making', 'there', 'gone')),
  at INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX worktrees_slot ON worktrees (slot) WHERE state <> 'gone';
CREATE INDEX worktrees_by_task ON worktrees (task);

-- What became of a spawn's work: an intended move of the integration branch, a merge, or a refusal with its reasons.
CREATE TABLE merges (
  seq INTEGER PRIMARY KEY,
  spawn TEXT NOT NULL,
  task TEXT NOT NULL REFERENCES tasks (id),
  epic TEXT NOT NULL REFERENCES tasks (id),
  state TEXT NOT NULL CHECK (state IN ('moving', 'merged', 'refused')),
  -- The last commit of the spawn.
  head TEXT NOT NULL,
  -- The integration branch before and, if it moved, after.
  base TEXT NOT NULL,
  tip TEXT,
  -- Conflicting files, failed commands, flaky ones.
  report TEXT NOT NULL,
  actor TEXT NOT NULL,
  at INTEGER NOT NULL
) STRICT;
CREATE INDEX merges_by_task ON merges (task, seq);
CREATE INDEX merges_moving ON merges (seq) WHERE state = 'moving';
