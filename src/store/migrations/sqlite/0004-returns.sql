-- When a spawn was received, or its task reopened; NULL while it is out.
ALTER TABLE spawns ADD COLUMN back_at INTEGER;

-- What subagents returned: the next attempt starts from it.
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
CREATE INDEX returns_by_task ON returns (task, seq);

-- Until now only the audit log had both.
INSERT INTO returns (task, spawn, at, actor, returned, need, breach, entry, made)
SELECT task, after ->> '$.spawn', at, actor, after ->> '$.returned', after -> '$.need', after ->> '$.breach',
  after ->> '$.entry', after -> '$.made'
FROM audit
WHERE operation = 'orchestrate.receive' AND task IN (SELECT id FROM tasks) AND after ->> '$.spawn' IS NOT NULL
ORDER BY seq;

UPDATE spawns SET back_at = (
  SELECT min(log.at) FROM audit log
  WHERE log.task = spawns.task
    AND (log.operation = 'tasks.reopen' OR (log.operation = 'orchestrate.receive' AND log.after ->> '$.spawn' = spawns.id))
    AND log.seq > (
      SELECT coalesce(max(made.seq), 0) FROM audit made
      WHERE made.task = spawns.task AND made.operation IN ('orchestrate.spawn', 'orchestrate.respawn')
        AND made.after ->> '$.spawn' = spawns.id));
