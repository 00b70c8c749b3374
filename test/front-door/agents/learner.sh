. "$AGENTS/work.sh"
cleo focus set "$TASK"
echo "need skill: ct-test-runner"
