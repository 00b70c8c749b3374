. "$AGENTS/work.sh"
cleo focus set "$TASK"
build
write_up
cleo manifest append --status partial --finding "The first half works." --followup "Handle empty input of $TASK" --followup "T002"
cleo verify "$TASK" --gate implemented --evidence "commit:HEAD;files:src/$TASK.txt"
echo "Implementation partial. See MANIFEST.jsonl for details."
