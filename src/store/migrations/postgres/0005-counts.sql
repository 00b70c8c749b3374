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
  leaf BIGINT NOT NULL,
  n BIGINT NOT NULL,
  PRIMARY KEY (root, status, leaf)
);

INSERT INTO task_counts (root, status, leaf, n)
SELECT place, status, CASE children WHEN 0 THEN 1 ELSE 0 END AS leaf, count(*)
FROM tasks, LATERAL (VALUES (''), (root)) AS places (place) GROUP BY place, status, leaf;

-- Once per statement and not per row: a row of counts that changes often within one transaction gets slow.
CREATE FUNCTION count_tasks() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO task_counts AS counts (root, status, leaf, n)
    SELECT place, status, CASE children WHEN 0 THEN 1 ELSE 0 END AS leaf, count(*)
    FROM new_tasks, LATERAL (VALUES (''), (root)) AS places (place) GROUP BY place, status, leaf
    ON CONFLICT (root, status, leaf) DO UPDATE SET n = counts.n + excluded.n;
  ELSIF TG_OP = 'DELETE' THEN
    UPDATE task_counts SET n = task_counts.n - gone.n
    FROM (SELECT place, status, CASE children WHEN 0 THEN 1 ELSE 0 END AS leaf, count(*) AS n
          FROM old_tasks, LATERAL (VALUES (''), (root)) AS places (place) GROUP BY place, status, leaf) AS gone
    WHERE task_counts.root = gone.place AND task_counts.status = gone.status AND task_counts.leaf = gone.leaf;
  ELSE
    INSERT INTO task_counts AS counts (root, status, leaf, n)
    SELECT place, status, CASE children WHEN 0 THEN 1 ELSE 0 END AS leaf, sum(change)
    FROM (SELECT root, status, children, 1 AS change FROM new_tasks
          UNION ALL SELECT root, status, children, -1 FROM old_tasks) AS changes,
      LATERAL (VALUES (''), (root)) AS places (place)
    GROUP BY place, status, leaf HAVING sum(change) <> 0
    ON CONFLICT (root, status, leaf) DO UPDATE SET n = counts.n + excluded.n;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER task_counts_insert AFTER INSERT ON tasks REFERENCING NEW TABLE AS new_tasks
  FOR EACH STATEMENT EXECUTE FUNCTION count_tasks();
CREATE TRIGGER task_counts_delete AFTER DELETE ON tasks REFERENCING OLD TABLE AS old_tasks
  FOR EACH STATEMENT EXECUTE FUNCTION count_tasks();
CREATE TRIGGER task_counts_update AFTER UPDATE ON tasks REFERENCING OLD TABLE AS old_tasks NEW TABLE AS new_tasks
  FOR EACH STATEMENT EXECUTE FUNCTION count_tasks();
