// Made by `npm run generate`. Do not edit.
import type { ShippedSkill } from '../../shipped.ts'

export const skill: ShippedSkill = {
  "entry": {
    "name": "ct-contribution",
    "version": "1.0.0",
    "description": "Make finished work ready for review and merge: clean commits, a description reviewers can use, a record of who did what. Use when work leaves its branch, for a pull request or a hand-over.",
    "path": "skills/ct-contribution",
    "token_budget": 450,
    "tier": 2,
    "tags": [
      "contribution",
      "pull-request"
    ],
    "references": [
      "skills/ct-contribution/SKILL.md"
    ],
    "capabilities": {
      "inputs": [
        "TASK_ID",
        "EPIC_ID",
        "DEPENDS_LIST"
      ],
      "outputs": [
        "attribution-record",
        "manifest-entry"
      ],
      "dispatch_triggers": [
        "attribution record"
      ]
    },
    "sha256": "ebaeb6ec53dc39fe155e03b6a9184c16ff929eae66e6984d34828fd80e22450f",
    "template": true,
    "protocol": "contribution",
    "tokens": 430
  },
  "frontMatter": "name: ct-contribution\ndescription: >-\n  Make finished work ready for review and merge: clean commits, a description reviewers can use, a record of who did what.\n  Use when work leaves its branch, for a pull request or a hand-over.\nlicense: MIT\nmetadata:\n  version: \"1.0.0\"\n  tier: \"2\"\n  token_budget: \"450\"\n  tags: \"contribution, pull-request\"\n  dispatch_triggers: \"attribution record\"\n  inputs: \"TASK_ID, EPIC_ID, DEPENDS_LIST\"\n  outputs: \"attribution-record, manifest-entry\"\n  protocol: \"contribution\"\n",
  "body": "\n## Summary\n\nA reviewer should need the description and the diff, and nothing from you.\n\n## Core Rules\n\n- Read the guide for contributors and the last twenty commits; do as they do.\n- One commit, one thing that can be reverted alone. The subject says what it does, the body why.\n- Bring the branch up to date and run the checks on the result, not on what it was before.\n- A conflict in meaning has no markers: look at what changed nearby since the branch began.\n- Never rewrite commits that others may have.\n- Keep secrets, machine paths and leftovers out; read the whole diff once for that alone.\n- Credit everybody whose work is in it: authors from the log, findings from the entries used.\n\n## Procedure\n\n1. List commits, tasks and declared files; explain or move out what fits no task.\n2. Check that each task's gates hold on the branch as it is now.\n3. Write the description: what and why, how it was checked, what to look at first, what is left.\n4. Write the record: task, commits, authors, decisions with reasons, conflicts and who has to settle them.\n\n## Examples\n\nLook first: the retry in the sender, it changes order under load. Checked: 40 runs with a dropped connection, none lost.\nConflict: T022 renames the same field; whichever merges second must adapt. For the maintainers to order.\n",
  "demoted": "\n##### Summary\n\nA reviewer should need the description and the diff, and nothing from you.\n\n##### Core Rules\n\n- Read the guide for contributors and the last twenty commits; do as they do.\n- One commit, one thing that can be reverted alone. The subject says what it does, the body why.\n- Bring the branch up to date and run the checks on the result, not on what it was before.\n- A conflict in meaning has no markers: look at what changed nearby since the branch began.\n- Never rewrite commits that others may have.\n- Keep secrets, machine paths and leftovers out; read the whole diff once for that alone.\n- Credit everybody whose work is in it: authors from the log, findings from the entries used.\n\n##### Procedure\n\n1. List commits, tasks and declared files; explain or move out what fits no task.\n2. Check that each task's gates hold on the branch as it is now.\n3. Write the description: what and why, how it was checked, what to look at first, what is left.\n4. Write the record: task, commits, authors, decisions with reasons, conflicts and who has to settle them.\n\n##### Examples\n\nLook first: the retry in the sender, it changes order under load. Checked: 40 runs with a dropped connection, none lost.\nConflict: T022 renames the same field; whichever merges second must adapt. For the maintainers to order.\n",
  "files": []
}
