. "$AGENTS/work.sh"
# Comes back after its task was given to somebody else.
cleo output new "$TASK" || echo "refused $?" >>"$LOG"
cleo manifest append --status complete --finding "Late, but done." || echo "refused $?" >>"$LOG"
cleo complete "$TASK" || echo "refused $?" >>"$LOG"
echo "Implementation complete. See MANIFEST.jsonl for summary."
