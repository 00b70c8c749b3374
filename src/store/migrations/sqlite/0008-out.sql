-- The attempt a task is out with, or 0: until the spawn is received, released, cancelled or replaced, the task is not ready.
ALTER TABLE tasks ADD COLUMN attempt_out INTEGER NOT NULL DEFAULT 0;
-- When the spawn last ran a command, to within a twelfth of the time after which it counts as quiet.
ALTER TABLE spawns ADD COLUMN seen_at INTEGER;

UPDATE tasks SET attempt_out = coalesce((
  SELECT attempt FROM spawns
  WHERE spawns.task = tasks.id AND attempt = (SELECT max(attempt) FROM spawns last WHERE last.task = tasks.id)
    AND (back_at IS NULL OR EXISTS (
      SELECT 1 FROM claims WHERE claims.task = tasks.id AND claims.owner = spawns.id AND state = 'held'))), 0)
WHERE status IN ('pending', 'active') AND id IN (SELECT task FROM spawns);

DROP INDEX tasks_ready;
DROP INDEX tasks_ready_in_root;
CREATE INDEX tasks_ready ON tasks (status, blockers, children, attempt_out, priority, unblocks DESC, seq)
  WHERE status = 'pending' AND blockers = 0 AND children = 0 AND attempt_out = 0;
CREATE INDEX tasks_ready_in_root ON tasks (root, status, blockers, children, attempt_out, priority, unblocks DESC, seq)
  WHERE status = 'pending' AND blockers = 0 AND children = 0 AND attempt_out = 0;
CREATE INDEX tasks_out ON tasks (attempt_out) WHERE attempt_out > 0;
