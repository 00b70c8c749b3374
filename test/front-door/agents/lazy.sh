. "$AGENTS/work.sh"
cleo focus set "$TASK"
echo "Implementation complete. See MANIFEST.jsonl for summary."
