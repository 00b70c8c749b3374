-- A list is one run of rows per status, each in order of creation. With these indexes, every run starts at its first
-- row and ends with the page, however many tasks there are.
DROP INDEX tasks_by_root;
DROP INDEX tasks_by_parent;
DROP INDEX tasks_open_by_parent;
CREATE INDEX tasks_by_root ON tasks (root, status, seq);
CREATE INDEX tasks_by_parent ON tasks (parent, status, seq);
-- Most tasks have the usual value, so these leave it out: whoever asks for the usual value finds it in any run.
CREATE INDEX tasks_by_type ON tasks (type, status, seq) WHERE type <> 'task';
CREATE INDEX tasks_by_priority ON tasks (priority, status, seq) WHERE priority <> 2;
CREATE INDEX tasks_by_size ON tasks (size, status, seq) WHERE size <> 'medium';
CREATE INDEX tasks_with_children ON tasks (status, blockers, seq) WHERE children > 0;
CREATE INDEX tasks_blocked ON tasks (status, updated_at, seq) WHERE status = 'blocked';
-- In order of creation: the number in the id of a task is its `seq`.
DROP INDEX labels_by_label;
CREATE INDEX labels_by_label ON labels (label, CAST(substr(task, 2) AS BIGINT));

DROP INDEX audit_by_session;
CREATE INDEX audit_by_session ON audit (session, seq) WHERE session IS NOT NULL;
CREATE INDEX audit_by_actor ON audit (actor, seq);
CREATE INDEX audit_by_operation ON audit (operation, seq);

-- The number of tasks with each status: in a tree, and with '' as root in the whole project. `leaf` is 1 for tasks
-- without children. The triggers below keep it; nothing else writes to it.
CREATE TABLE task_counts (
  root TEXT NOT NULL,
  status TEXT NOT NULL,
  leaf INTEGER NOT NULL,
  n INTEGER NOT NULL,
  PRIMARY KEY (root, status, leaf)
) STRICT, WITHOUT ROWID;

INSERT INTO task_counts (root, status, leaf, n)
SELECT '', status, children = 0, count(*) FROM tasks GROUP BY status, children = 0
UNION ALL SELECT root, status, children = 0, count(*) FROM tasks GROUP BY root, status, children = 0;

CREATE TRIGGER task_counts_insert AFTER INSERT ON tasks BEGIN
  INSERT INTO task_counts (root, status, leaf, n)
  VALUES ('', new.status, new.children = 0, 1), (new.root, new.status, new.children = 0, 1)
  ON CONFLICT (root, status, leaf) DO UPDATE SET n = n + 1;
END;
CREATE TRIGGER task_counts_delete AFTER DELETE ON tasks BEGIN
  UPDATE task_counts SET n = n - 1
  WHERE root IN ('', old.root) AND status = old.status AND leaf = (old.children = 0);
END;
CREATE TRIGGER task_counts_update AFTER UPDATE OF status, root, children ON tasks
WHEN new.status <> old.status OR new.root <> old.root OR (new.children = 0) <> (old.children = 0) BEGIN
  UPDATE task_counts SET n = n - 1
  WHERE root IN ('', old.root) AND status = old.status AND leaf = (old.children = 0);
  INSERT INTO task_counts (root, status, leaf, n)
  VALUES ('', new.status, new.children = 0, 1), (new.root, new.status, new.children = 0, 1)
  ON CONFLICT (root, status, leaf) DO UPDATE SET n = n + 1;
END;
