. "$AGENTS/work.sh"
# Knows the entry as a line of JSON, and nothing of `manifest append`.
cleo focus set "$TASK"
build
write_up
file=$(basename "$(output)")
echo "{\"id\":\"$TASK-by-hand\",\"file\":\"$file\",\"title\":\"By hand\",\"date\":\"2026-01-01\",\"status\":\"complete\",\"agent_type\":\"implementation\",\"topics\":[],\"key_findings\":[\"Built.\"],\"actionable\":true,\"needs_followup\":[],\"linked_tasks\":[\"$TASK\"]}" >>claudedocs/agent-outputs/MANIFEST.jsonl
prove
echo "Implementation complete. See MANIFEST.jsonl for summary."
