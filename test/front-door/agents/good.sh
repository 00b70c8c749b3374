. "$AGENTS/work.sh"
cleo focus set "$TASK"
build
write_up
cleo manifest append --status complete --finding "src/$TASK.txt holds the result."
prove
cleo complete "$TASK"
echo "Implementation complete. See MANIFEST.jsonl for summary."
