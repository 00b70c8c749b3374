. "$AGENTS/work.sh"
cleo focus set "$TASK"
write_up
cleo manifest append --status complete --finding "Argon2id is the choice." --finding "Bcrypt cuts at 72 bytes." --finding "Scrypt is older."
cleo verify "$TASK" --criterion 1 --evidence "files:$(realpath --relative-to="$PWD" "$(output)")"
cleo complete "$TASK"
echo "Research complete. See MANIFEST.jsonl for summary."
