-- When the agent of a run submitted its work. The run then checks the gates that need a command of the project.
ALTER TABLE spawns ADD COLUMN submitted_at INTEGER;

-- CLEO driving agents through an epic.
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
CREATE UNIQUE INDEX runs_live ON runs (epic) WHERE state IN ('running', 'draining');

-- The steps of a run, each written before it is carried out.
CREATE TABLE run_events (
  seq INTEGER PRIMARY KEY,
  run INTEGER NOT NULL REFERENCES runs (seq),
  at INTEGER NOT NULL,
  kind TEXT NOT NULL,
  task TEXT,
  spawn TEXT,
  data TEXT
) STRICT;
CREATE INDEX run_events_by_run ON run_events (run, seq);

-- The agent programs that a run started, one for each spawn.
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
CREATE INDEX run_agents_by_run ON run_agents (run, at);
