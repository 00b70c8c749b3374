. "$AGENTS/work.sh"
# The old way, by hand, and for a file that nobody has written.
cleo focus set "$TASK"
echo "{\"id\":\"$TASK-report\",\"file\":\"$TASK-report.md\",\"title\":\"Report\",\"date\":\"2026-01-01\",\"status\":\"complete\",\"agent_type\":\"implementation\",\"topics\":[],\"key_findings\":[\"All done.\"],\"actionable\":true,\"needs_followup\":[],\"linked_tasks\":[\"$TASK\"]}" >>claudedocs/agent-outputs/MANIFEST.jsonl
echo "Implementation complete. See MANIFEST.jsonl for summary."
