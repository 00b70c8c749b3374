// Made by `npm run generate`. Do not edit.
import type { ShippedSkill } from '../../shipped.ts'

export const skill: ShippedSkill = {
  "entry": {
    "name": "ct-orchestrator",
    "version": "1.0.0",
    "description": "Lead an epic with CLEO: find what is ready, hand each task to a subagent, check what comes back, decide what is next. Use when asked to orchestrate, coordinate or drive an epic through several agents. Not for carrying out a task.",
    "path": "skills/ct-orchestrator",
    "token_budget": 850,
    "tier": 0,
    "tags": [
      "cleo-orchestrator"
    ],
    "references": [
      "skills/ct-orchestrator/SKILL.md"
    ],
    "capabilities": {
      "inputs": [
        "EPIC_ID"
      ],
      "outputs": [
        "spawns",
        "completed-tasks"
      ],
      "dispatch_triggers": []
    },
    "sha256": "593ce7e8aee4d704d6239021b595fb31b10102caf0edf5788f1120c9d4ac153d",
    "template": true,
    "tokens": 836
  },
  "frontMatter": "name: ct-orchestrator\ndescription: >-\n  Lead an epic with CLEO: find what is ready, hand each task to a subagent, check what comes back, decide what is next.\n  Use when asked to orchestrate, coordinate or drive an epic through several agents. Not for carrying out a task.\nlicense: MIT\nmetadata:\n  version: \"1.0.0\"\n  tier: \"0\"\n  token_budget: \"850\"\n  tags: \"cleo-orchestrator\"\n  inputs: \"EPIC_ID\"\n  outputs: \"spawns, completed-tasks\"\n",
  "body": "\n## Summary\n\nYou conduct, subagents play. CLEO knows the graph, builds the prompts and checks the results; you read one line per task.\n\n## Core Rules\n\n- ORC-001: You MUST stay with tasks, waves and outcomes; how it is built is the subagent's business.\n- ORC-002: You MUST delegate all work through the host's Task tool, however small it looks.\n- ORC-003: You MUST NOT read whole files, prompts or reports; findings and one-line answers are enough.\n- ORC-004: You MUST spawn in the order of dependencies: what `ready` lists, which may run at once, and nothing else.\n- ORC-005: You MUST keep what you read from CLEO under 10,000 tokens; `cleo orchestrate context` counts.\n- ORC-006: A spawn MUST NOT cover more than 3 declared files; split the task first.\n- ORC-007: Every piece of work MUST belong to an epic, as a task, before anybody starts on it.\n- ORC-008: You MUST NOT decide on architecture; a person has decided, or you ask.\n\nYou MUST NOT give time estimates. Asked for one, answer: \"I cannot provide accurate time predictions. Instead, I can describe\nthe scope (N tasks, M files), complexity factors, and dependencies.\" Sizes: small (one function, clear path), medium (several\ncomponents, some unknowns), large (cross-cutting, significant unknowns).\n\n## Procedure\n\n1. `cleo orchestrate start --epic T001` once; `cleo orchestrate prime` in a new or compacted context.\n2. `cleo orchestrate ready --epic T001` for a set, `cleo orchestrate next --epic T001` for one task.\n3. `cleo orchestrate spawn T002 --ref` answers `promptFile`. Call the Task tool (in some hosts Agent) with subagent_type\n   `cleo-subagent` and the prompt \"Read <promptFile> and follow it exactly.\"\n4. `cleo orchestrate receive T002 --message \"<the line that came back>\" --follow-ups`\n5. Go on with the `next` it names. When nothing is ready or running, read `cleo orchestrate status` and report to the person.\n\n| what comes back | what you do |\n|---|---|\n| complete | the next task |\n| partial | its open points are tasks now; the next task |\n| blocked, missing context | add it by `cleo update`, then `cleo unblock T002` and `cleo orchestrate respawn T002` |\n| blocked, unavailable | other tasks first, then the same |\n| blocked, permission or ambiguous | ask the person, never answer for them |\n| `need skill: X`, `need level: X L2` | `cleo orchestrate respawn T002` adds it |\n| refusal 61 to 63 | `cleo orchestrate respawn T002` names the breach; after three attempts ask the person |\n\nAt 70 % of the budget stop looking things up; at 90 % leave a note with `cleo session end --note \"…\"` and end.\n\n## Examples\n\nA subagent returns two pages of findings. Pass on the first line and read no further: `receive` refuses it (61), and the\nrespawn tells the next one what was wrong.\n",
  "demoted": "\n##### Summary\n\nYou conduct, subagents play. CLEO knows the graph, builds the prompts and checks the results; you read one line per task.\n\n##### Core Rules\n\n- ORC-001: You MUST stay with tasks, waves and outcomes; how it is built is the subagent's business.\n- ORC-002: You MUST delegate all work through the host's Task tool, however small it looks.\n- ORC-003: You MUST NOT read whole files, prompts or reports; findings and one-line answers are enough.\n- ORC-004: You MUST spawn in the order of dependencies: what `ready` lists, which may run at once, and nothing else.\n- ORC-005: You MUST keep what you read from CLEO under 10,000 tokens; `cleo orchestrate context` counts.\n- ORC-006: A spawn MUST NOT cover more than 3 declared files; split the task first.\n- ORC-007: Every piece of work MUST belong to an epic, as a task, before anybody starts on it.\n- ORC-008: You MUST NOT decide on architecture; a person has decided, or you ask.\n\nYou MUST NOT give time estimates. Asked for one, answer: \"I cannot provide accurate time predictions. Instead, I can describe\nthe scope (N tasks, M files), complexity factors, and dependencies.\" Sizes: small (one function, clear path), medium (several\ncomponents, some unknowns), large (cross-cutting, significant unknowns).\n\n##### Procedure\n\n1. `cleo orchestrate start --epic T001` once; `cleo orchestrate prime` in a new or compacted context.\n2. `cleo orchestrate ready --epic T001` for a set, `cleo orchestrate next --epic T001` for one task.\n3. `cleo orchestrate spawn T002 --ref` answers `promptFile`. Call the Task tool (in some hosts Agent) with subagent_type\n   `cleo-subagent` and the prompt \"Read <promptFile> and follow it exactly.\"\n4. `cleo orchestrate receive T002 --message \"<the line that came back>\" --follow-ups`\n5. Go on with the `next` it names. When nothing is ready or running, read `cleo orchestrate status` and report to the person.\n\n| what comes back | what you do |\n|---|---|\n| complete | the next task |\n| partial | its open points are tasks now; the next task |\n| blocked, missing context | add it by `cleo update`, then `cleo unblock T002` and `cleo orchestrate respawn T002` |\n| blocked, unavailable | other tasks first, then the same |\n| blocked, permission or ambiguous | ask the person, never answer for them |\n| `need skill: X`, `need level: X L2` | `cleo orchestrate respawn T002` adds it |\n| refusal 61 to 63 | `cleo orchestrate respawn T002` names the breach; after three attempts ask the person |\n\nAt 70 % of the budget stop looking things up; at 90 % leave a note with `cleo session end --note \"…\"` and end.\n\n##### Examples\n\nA subagent returns two pages of findings. Pass on the first line and read no further: `receive` refuses it (61), and the\nrespawn tells the next one what was wrong.\n",
  "files": []
}
