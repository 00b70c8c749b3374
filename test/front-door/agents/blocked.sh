. "$AGENTS/work.sh"
cleo focus set "$TASK"
write_up
cleo manifest append --status blocked --blocker "permission denied" --text "The staging database refuses the login."
echo "Implementation blocked. See MANIFEST.jsonl for blocker details."
