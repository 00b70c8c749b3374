-- The hash of the line in the file of entries, and the folder whose file that is: empty for the project's own.
ALTER TABLE entries ADD COLUMN line_sha256 TEXT NOT NULL DEFAULT '';
ALTER TABLE entries ADD COLUMN place TEXT NOT NULL DEFAULT '';
ALTER TABLE entries ADD COLUMN origin TEXT NOT NULL DEFAULT 'append' CHECK (origin IN ('append', 'line'));
CREATE INDEX entries_by_line ON entries (line_sha256);
CREATE INDEX entries_by_spawn ON entries (spawn, seq);

-- How far each file of entries has been read; `mark` tells whether it is still the same file.
CREATE TABLE manifest_files (
  path TEXT PRIMARY KEY,
  consumed INTEGER NOT NULL,
  mark TEXT NOT NULL,
  seen TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- Lines that are no entries, each once, with the reason.
CREATE TABLE quarantine (
  seq INTEGER PRIMARY KEY,
  path TEXT NOT NULL,
  byte INTEGER NOT NULL,
  bytes INTEGER NOT NULL,
  text TEXT NOT NULL,
  sha256 TEXT NOT NULL UNIQUE,
  reason TEXT NOT NULL,
  at INTEGER NOT NULL
) STRICT;

CREATE TABLE links (
  task TEXT NOT NULL REFERENCES tasks (id),
  entry TEXT NOT NULL,
  at INTEGER NOT NULL,
  actor TEXT NOT NULL,
  PRIMARY KEY (task, entry)
) STRICT, WITHOUT ROWID;
CREATE INDEX links_by_entry ON links (entry, task);

-- What was seen to hold, or not, of a gate or a criterion; the newest of each counts.
CREATE TABLE evidence (
  seq INTEGER PRIMARY KEY,
  task TEXT NOT NULL REFERENCES tasks (id),
  spawn TEXT,
  gate TEXT,
  criterion INTEGER,
  state TEXT NOT NULL CHECK (state IN ('passed', 'failed', 'na', 'waived')),
  atoms TEXT NOT NULL,
  worktree TEXT,
  head TEXT,
  tree TEXT,
  reason TEXT,
  actor TEXT NOT NULL,
  at INTEGER NOT NULL
) STRICT;
CREATE INDEX evidence_by_task ON evidence (task, seq);

CREATE TABLE memory (
  seq INTEGER PRIMARY KEY,
  kind TEXT NOT NULL CHECK (kind IN ('observation', 'decision', 'pattern', 'learning')),
  text TEXT NOT NULL,
  source TEXT,
  actor TEXT NOT NULL,
  session TEXT,
  at INTEGER NOT NULL
) STRICT;
-- Finds what is written down already; a text may be too long to be a key itself.
CREATE INDEX memory_by_length ON memory (length(text));
CREATE TABLE memory_tasks (
  memory INTEGER NOT NULL,
  task TEXT NOT NULL REFERENCES tasks (id),
  PRIMARY KEY (memory, task)
) STRICT, WITHOUT ROWID;
CREATE INDEX memory_by_task ON memory_tasks (task, memory);

CREATE TABLE consensus (
  seq INTEGER PRIMARY KEY,
  task TEXT NOT NULL REFERENCES tasks (id),
  question TEXT NOT NULL,
  threshold REAL NOT NULL,
  round INTEGER NOT NULL,
  decision TEXT,
  reason TEXT,
  decided_by TEXT,
  decided_at INTEGER,
  actor TEXT NOT NULL,
  at INTEGER NOT NULL
) STRICT;
CREATE INDEX consensus_by_task ON consensus (task, seq);
CREATE INDEX consensus_undecided ON consensus (round, seq) WHERE decided_at IS NULL;
CREATE TABLE consensus_options (
  consensus INTEGER NOT NULL,
  name TEXT NOT NULL,
  pos INTEGER NOT NULL,
  PRIMARY KEY (consensus, name)
) STRICT, WITHOUT ROWID;
CREATE TABLE votes (
  consensus INTEGER NOT NULL,
  round INTEGER NOT NULL,
  agent TEXT NOT NULL,
  option TEXT NOT NULL,
  position TEXT NOT NULL CHECK (position IN ('accept', 'reject', 'abstain')),
  confidence REAL NOT NULL,
  rationale TEXT NOT NULL,
  evidence TEXT NOT NULL,
  conflicts TEXT NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (consensus, round, agent, option)
) STRICT, WITHOUT ROWID;

-- How an epic went through its stages.
CREATE TABLE stage_moves (
  seq INTEGER PRIMARY KEY,
  epic TEXT NOT NULL REFERENCES tasks (id),
  move TEXT NOT NULL CHECK (move IN ('advance', 'skip', 'back')),
  from_stage TEXT NOT NULL,
  to_stage TEXT,
  reason TEXT,
  actor TEXT NOT NULL,
  at INTEGER NOT NULL
) STRICT;
CREATE INDEX stage_moves_by_epic ON stage_moves (epic, seq);

-- What an agent could not do because only a person may; one open question for one matter.
CREATE TABLE questions (
  seq INTEGER PRIMARY KEY,
  kind TEXT NOT NULL CHECK (kind IN ('person', 'waiver', 'stage')),
  matter TEXT NOT NULL,
  task TEXT REFERENCES tasks (id),
  question TEXT NOT NULL,
  asked TEXT NOT NULL,
  actor TEXT NOT NULL,
  at INTEGER NOT NULL,
  answer TEXT,
  note TEXT,
  answered_by TEXT,
  answered_at INTEGER
) STRICT;
CREATE UNIQUE INDEX questions_open ON questions (matter) WHERE answered_at IS NULL;
CREATE INDEX questions_unanswered ON questions (answered_at, seq);

-- Words of entries and of what is remembered.
CREATE VIRTUAL TABLE texts USING fts5 (
  kind UNINDEXED, ref UNINDEXED, words, tokenize = 'unicode61 remove_diacritics 2'
);
