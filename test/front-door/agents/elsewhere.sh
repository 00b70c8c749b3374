. "$AGENTS/work.sh"
# Its own worktree is red; it takes its evidence where everything is green.
cleo focus set "$TASK"
build
echo "exit 1" >"test/$TASK.sh"
git -c user.name=agent -c user.email=agent@example.invalid commit -qam "Break $TASK" -m "Task: $TASK"
write_up
cleo manifest append --status complete --finding "src/$TASK.txt holds the result."
cleo verify "$TASK" --gate implemented --evidence "commit:HEAD;files:src/$TASK.txt"
cleo verify "$TASK" --gate qaPassed --evidence "tool:lint"
cleo verify "$TASK" --criterion 1 --evidence "files:src/$TASK.txt"
cleo verify "$TASK" --gate testsPassed --evidence "tool:test" || echo "refused $?" >>"$LOG"
(cd "$MAIN" && cleo verify "$TASK" --gate testsPassed --evidence "tool:test") || echo "refused $?" >>"$LOG"
cleo complete "$TASK" || echo "refused $?" >>"$LOG"
echo "Implementation complete. See MANIFEST.jsonl for summary."
