CREATE INDEX audit_by_actor ON audit (actor, seq);

CREATE INDEX audit_by_first ON audit (first) WHERE first IS NOT NULL;

CREATE INDEX audit_by_operation ON audit (operation, seq);

CREATE INDEX audit_by_session ON audit (session, seq) WHERE session IS NOT NULL;

CREATE INDEX audit_by_task ON audit (task, seq);

CREATE INDEX claims_by_owner ON claims (owner, expires_at) WHERE state = 'held';

CREATE UNIQUE INDEX claims_one_holder ON claims (task) WHERE state = 'held';

CREATE INDEX consensus_by_task ON consensus (task, seq);

CREATE INDEX consensus_undecided ON consensus (round, seq) WHERE decided_at IS NULL;

CREATE INDEX consensus_voters_by_round ON consensus_voters (consensus, round, pos);

CREATE INDEX depends_by_needs ON depends (needs, task);

CREATE INDEX entries_by_line ON entries (line_sha256);

CREATE INDEX entries_by_spawn ON entries (spawn, seq);

CREATE INDEX entries_by_task ON entries (task, seq);

CREATE INDEX evidence_by_task ON evidence (task, seq);

CREATE INDEX files_by_path ON files (path);

CREATE INDEX focus_by_task ON focus (task);

CREATE INDEX labels_by_label ON labels (label, CAST(substr(task, 2) AS BIGINT));

CREATE INDEX links_by_entry ON links (entry, task);

CREATE INDEX memory_by_length ON memory (length(text));

CREATE INDEX memory_by_task ON memory_tasks (task, memory);

CREATE INDEX merges_by_task ON merges (task, seq);

CREATE INDEX merges_moving ON merges (seq) WHERE state = 'moving';

CREATE INDEX notes_by_session ON notes (session, seq);

CREATE INDEX notes_by_task ON notes (task, seq);

CREATE UNIQUE INDEX questions_open ON questions (matter) WHERE answered_at IS NULL;

CREATE INDEX questions_unanswered ON questions (answered_at, seq);

CREATE INDEX returns_by_task ON returns (task, seq);

CREATE INDEX run_agents_by_run ON run_agents (run, at);

CREATE INDEX run_events_by_run ON run_events (run, seq);

CREATE UNIQUE INDEX runs_live ON runs (epic) WHERE state IN ('running', 'draining');

CREATE INDEX sessions_by_status ON sessions (status, seq);

CREATE UNIQUE INDEX spawns_by_task ON spawns (task, attempt);

CREATE INDEX stage_moves_by_epic ON stage_moves (epic, seq);

CREATE INDEX tasks_blocked ON tasks (status, updated_at, seq) WHERE status = 'blocked';

CREATE INDEX tasks_by_key ON tasks (root, key) WHERE key IS NOT NULL;

CREATE INDEX tasks_by_parent ON tasks (parent, status, seq);

CREATE INDEX tasks_by_priority ON tasks (priority, status, seq) WHERE priority <> 2;

CREATE INDEX tasks_by_root ON tasks (root, status, seq);

CREATE INDEX tasks_by_size ON tasks (size, status, seq) WHERE size <> 'medium';

CREATE INDEX tasks_by_status ON tasks (status, seq);

CREATE INDEX tasks_by_title ON tasks (title);

CREATE INDEX tasks_by_type ON tasks (type, status, seq) WHERE type <> 'task';

CREATE INDEX tasks_out ON tasks (attempt_out) WHERE attempt_out > 0;

CREATE INDEX tasks_ready ON tasks (status, blockers, children, attempt_out, priority, unblocks DESC, seq)
  WHERE status = 'pending' AND blockers = 0 AND children = 0 AND attempt_out = 0;

CREATE INDEX tasks_ready_in_root ON tasks (root, status, blockers, children, attempt_out, priority, unblocks DESC, seq)
  WHERE status = 'pending' AND blockers = 0 AND children = 0 AND attempt_out = 0;

CREATE INDEX tasks_unmerged ON tasks (seq) WHERE merge = 'pending';

CREATE INDEX tasks_with_children ON tasks (status, blockers, seq) WHERE children > 0;

CREATE INDEX worktrees_by_task ON worktrees (task);

CREATE UNIQUE INDEX worktrees_slot ON worktrees (slot) WHERE state <> 'gone';

CREATE TABLE audit (
  seq INTEGER PRIMARY KEY,
  at INTEGER NOT NULL,
  actor TEXT NOT NULL,
  session TEXT,
  operation TEXT NOT NULL,
  task TEXT,
  before TEXT,
  after TEXT
, first INTEGER) STRICT;

CREATE TABLE claims (
  task TEXT NOT NULL REFERENCES tasks (id),
  owner TEXT NOT NULL,
  epoch INTEGER NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('held', 'lost')),
  expires_at INTEGER NOT NULL,
  PRIMARY KEY (task, owner)
) STRICT, WITHOUT ROWID;

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

CREATE TABLE consensus_options (
  consensus INTEGER NOT NULL,
  name TEXT NOT NULL,
  pos INTEGER NOT NULL,
  PRIMARY KEY (consensus, name)
) STRICT, WITHOUT ROWID;

CREATE TABLE consensus_voters (
  task TEXT PRIMARY KEY REFERENCES tasks (id),
  consensus INTEGER NOT NULL,
  round INTEGER NOT NULL,
  pos INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE counters (
  name TEXT PRIMARY KEY,
  value INTEGER NOT NULL
) STRICT;

CREATE TABLE criteria (
  task TEXT NOT NULL REFERENCES tasks (id),
  n INTEGER NOT NULL,
  text TEXT NOT NULL,
  source TEXT NOT NULL CHECK (source IN ('given', 'description')),
  state TEXT NOT NULL CHECK (state IN ('open', 'met', 'unmet', 'waived')),
  PRIMARY KEY (task, n)
) STRICT, WITHOUT ROWID;

CREATE TABLE depends (
  task TEXT NOT NULL REFERENCES tasks (id),
  needs TEXT NOT NULL REFERENCES tasks (id),
  pos INTEGER NOT NULL,
  PRIMARY KEY (task, needs)
) STRICT, WITHOUT ROWID;

CREATE TABLE entries (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  task TEXT NOT NULL REFERENCES tasks (id),
  spawn TEXT,
  status TEXT NOT NULL CHECK (status IN ('complete', 'partial', 'blocked')),
  body TEXT NOT NULL,
  sha256 TEXT,
  appended_at INTEGER NOT NULL
, line_sha256 TEXT NOT NULL DEFAULT '', place TEXT NOT NULL DEFAULT '', origin TEXT NOT NULL DEFAULT 'append' CHECK (origin IN ('append', 'line'))) STRICT;

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

CREATE TABLE files (
  task TEXT NOT NULL REFERENCES tasks (id),
  path TEXT NOT NULL,
  pos INTEGER NOT NULL,
  PRIMARY KEY (task, path)
) STRICT, WITHOUT ROWID;

CREATE TABLE focus (
  session TEXT NOT NULL,
  agent TEXT NOT NULL,
  task TEXT NOT NULL REFERENCES tasks (id),
  since INTEGER NOT NULL,
  PRIMARY KEY (session, agent)
) STRICT, WITHOUT ROWID;

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

CREATE TABLE labels (
  task TEXT NOT NULL REFERENCES tasks (id),
  label TEXT NOT NULL,
  pos INTEGER NOT NULL,
  PRIMARY KEY (task, label)
) STRICT, WITHOUT ROWID;

CREATE TABLE links (
  task TEXT NOT NULL REFERENCES tasks (id),
  entry TEXT NOT NULL,
  at INTEGER NOT NULL,
  actor TEXT NOT NULL,
  PRIMARY KEY (task, entry)
) STRICT, WITHOUT ROWID;

CREATE TABLE manifest_files (
  path TEXT PRIMARY KEY,
  consumed INTEGER NOT NULL,
  mark TEXT NOT NULL,
  seen TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE memory (
  seq INTEGER PRIMARY KEY,
  kind TEXT NOT NULL CHECK (kind IN ('observation', 'decision', 'pattern', 'learning')),
  text TEXT NOT NULL,
  source TEXT,
  actor TEXT NOT NULL,
  session TEXT,
  at INTEGER NOT NULL
) STRICT;

CREATE TABLE memory_tasks (
  memory INTEGER NOT NULL,
  task TEXT NOT NULL REFERENCES tasks (id),
  PRIMARY KEY (memory, task)
) STRICT, WITHOUT ROWID;

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

CREATE TABLE notes (
  seq INTEGER PRIMARY KEY,
  task TEXT REFERENCES tasks (id),
  session TEXT REFERENCES sessions (id),
  at INTEGER NOT NULL,
  actor TEXT NOT NULL,
  text TEXT NOT NULL
) STRICT;

CREATE TABLE project (id TEXT NOT NULL) STRICT;

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

CREATE TABLE returns (
  seq INTEGER PRIMARY KEY,
  task TEXT NOT NULL REFERENCES tasks (id),
  spawn TEXT NOT NULL,
  at INTEGER NOT NULL,
  actor TEXT NOT NULL,
  returned TEXT,
  need TEXT,
  breach TEXT,
  entry TEXT,
  made TEXT
) STRICT;

CREATE TABLE run_agents (
  spawn TEXT PRIMARY KEY,
  run INTEGER NOT NULL REFERENCES runs (seq),
  task TEXT NOT NULL REFERENCES tasks (id),
  agent TEXT NOT NULL,
  -- The value of a variable by which every process of the agent is found.
  marker TEXT NOT NULL,
  -- Pid and start time of the process that watches the agent, recorded before the agent starts.
  watcher TEXT,
  state TEXT NOT NULL CHECK (state IN ('preparing', 'running', 'ended')),
  -- The client's own session, with which it can go on.
  client_session TEXT,
  -- How it ended, what it was denied, its last message.
  ending TEXT,
  -- Tokens and cost, as the client reported them.
  usage TEXT,
  at INTEGER NOT NULL,
  ended_at INTEGER
) STRICT;

CREATE TABLE run_events (
  seq INTEGER PRIMARY KEY,
  run INTEGER NOT NULL REFERENCES runs (seq),
  at INTEGER NOT NULL,
  kind TEXT NOT NULL,
  task TEXT,
  spawn TEXT,
  data TEXT
) STRICT;

CREATE TABLE runs (
  seq INTEGER PRIMARY KEY,
  epic TEXT NOT NULL REFERENCES tasks (id),
  state TEXT NOT NULL CHECK (state IN ('running', 'draining', 'stopped', 'finished')),
  -- Why it stopped.
  why TEXT,
  -- Agent, how many at once, limits.
  options TEXT NOT NULL,
  -- Grows with each start and resume. A driver with an older number must stop.
  epoch INTEGER NOT NULL,
  -- The process that drives the run: machine, pid and start time. NULL if none does.
  driver TEXT,
  actor TEXT NOT NULL,
  at INTEGER NOT NULL,
  -- When its driver last wrote that it is alive.
  seen_at INTEGER NOT NULL,
  ended_at INTEGER
) STRICT;

CREATE TABLE sessions (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  scope TEXT REFERENCES tasks (id),
  status TEXT NOT NULL CHECK (status IN ('active', 'ended')),
  actor TEXT NOT NULL,
  started_at INTEGER NOT NULL,
  ended_at INTEGER
) STRICT;

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
, back_at INTEGER, thread TEXT, seen_at INTEGER, agents TEXT, submitted_at INTEGER) STRICT;

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

CREATE TABLE task_counts (
  root TEXT NOT NULL,
  status TEXT NOT NULL,
  leaf INTEGER NOT NULL,
  n INTEGER NOT NULL,
  PRIMARY KEY (root, status, leaf)
) STRICT, WITHOUT ROWID;

CREATE TABLE tasks (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  title TEXT NOT NULL,
  description TEXT NOT NULL,
  type TEXT NOT NULL CHECK (type IN ('epic', 'task', 'subtask')),
  parent TEXT REFERENCES tasks (id),
  root TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('pending', 'active', 'blocked', 'done', 'cancelled')),
  reason TEXT,
  priority INTEGER NOT NULL CHECK (priority BETWEEN 0 AND 3),
  size TEXT NOT NULL CHECK (size IN ('small', 'medium', 'large')),
  stage TEXT,
  completes TEXT NOT NULL CHECK (completes IN ('auto', 'manual')),
  origin TEXT NOT NULL,
  outcome TEXT CHECK (outcome IN ('complete', 'partial')),
  epoch INTEGER NOT NULL,
  blockers INTEGER NOT NULL,
  unblocks INTEGER NOT NULL,
  children INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  completed_at INTEGER
, attempt_out INTEGER NOT NULL DEFAULT 0, merge TEXT NOT NULL DEFAULT 'none' CHECK (merge IN ('none', 'pending', 'merged', 'refused')), landed_at INTEGER, key TEXT) STRICT;

CREATE VIRTUAL TABLE tasks_text USING fts5 (
  title, description,
  content = 'tasks', content_rowid = 'seq', tokenize = 'unicode61 remove_diacritics 2'
);

CREATE VIRTUAL TABLE texts USING fts5 (
  kind UNINDEXED, ref UNINDEXED, words, tokenize = 'unicode61 remove_diacritics 2'
);

CREATE TABLE 'texts_config'(k PRIMARY KEY, v) WITHOUT ROWID;

CREATE TABLE 'texts_content'(id INTEGER PRIMARY KEY, c0, c1, c2);

CREATE TABLE 'texts_data'(id INTEGER PRIMARY KEY, block BLOB);

CREATE TABLE 'texts_docsize'(id INTEGER PRIMARY KEY, sz BLOB);

CREATE TABLE 'texts_idx'(segid, term, pgno, PRIMARY KEY(segid, term)) WITHOUT ROWID;

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

CREATE TRIGGER task_counts_delete AFTER DELETE ON tasks BEGIN
  UPDATE task_counts SET n = n - 1
  WHERE root IN ('', old.root) AND status = old.status AND leaf = (old.children = 0);
END;

CREATE TRIGGER task_counts_insert AFTER INSERT ON tasks BEGIN
  INSERT INTO task_counts (root, status, leaf, n)
  VALUES ('', new.status, new.children = 0, 1), (new.root, new.status, new.children = 0, 1)
  ON CONFLICT (root, status, leaf) DO UPDATE SET n = n + 1;
END;

CREATE TRIGGER task_counts_update AFTER UPDATE OF status, root, children ON tasks
WHEN new.status <> old.status OR new.root <> old.root OR (new.children = 0) <> (old.children = 0) BEGIN
  UPDATE task_counts SET n = n - 1
  WHERE root IN ('', old.root) AND status = old.status AND leaf = (old.children = 0);
  INSERT INTO task_counts (root, status, leaf, n)
  VALUES ('', new.status, new.children = 0, 1), (new.root, new.status, new.children = 0, 1)
  ON CONFLICT (root, status, leaf) DO UPDATE SET n = n + 1;
END;
