# What agents have in common. $CLEO is the program, $TASK and $SPAWN say what it works on; it runs in its work folder.
set -eu
cleo() { "$CLEO" "$@" --as "$SPAWN" >>"$LOG" 2>&1; }
output() { ls "$PWD"/claudedocs/agent-outputs/"$TASK"-*.md; }
# Writes code with a test, commits it, and fills in the output file.
build() {
  mkdir -p src test
  echo "$SPAWN" >"src/$TASK.txt"
  echo "test -s src/$TASK.txt" >"test/$TASK.sh"
  git add src test
  git -c user.name=agent -c user.email=agent@example.invalid commit -qm "Build $TASK" -m "Task: $TASK"
}
write_up() {
  cleo output new "$TASK"
  sed -i "s/^## Summary\$/## Summary\n\nDone as asked./; s/^## Content\$/## Content\n\nsrc\/$TASK.txt holds it./; s/^## References\$/## References\n\n- src\/$TASK.txt/" "$(output)"
}
prove() {
  cleo verify "$TASK" --gate implemented --evidence "commit:HEAD;files:src/$TASK.txt,test/$TASK.sh"
  cleo verify "$TASK" --gate testsPassed --evidence "tool:test"
  cleo verify "$TASK" --gate qaPassed --evidence "tool:lint"
  cleo verify "$TASK" --criterion 1 --evidence "files:test/$TASK.sh"
}
