-- The first row that the same command wrote, so that `undo` takes back the whole command. NULL in that first row.
ALTER TABLE audit ADD COLUMN first INTEGER;
CREATE INDEX audit_by_first ON audit (first) WHERE first IS NOT NULL;
-- Older rows with the same time, actor and operation count as one command.
UPDATE audit SET first = command.first
FROM (SELECT seq, min(seq) OVER (PARTITION BY at, actor, operation) AS first FROM audit) AS command
WHERE command.seq = audit.seq AND command.first < audit.seq;

-- The key of a task in the outline that it was added from. A key is unique among the open tasks below one root.
ALTER TABLE tasks ADD COLUMN key TEXT;
CREATE INDEX tasks_by_key ON tasks (root, key) WHERE key IS NOT NULL;
