// Made by `npm run generate`. Do not edit.
import type { ShippedEntry, ShippedSkill } from '../skill-entry.ts'

/** What is known of each shipped skill without loading it. */
export const shippedEntries: readonly ShippedEntry[] = [
  {
    "name": "ct-adr-recorder",
    "version": "1.0.0",
    "description": "Write an architecture decision record: context, options, decision, consequences, in about a page. Use when a choice that is costly to reverse has been taken, or is to be put before a person.",
    "path": "skills/ct-adr-recorder",
    "token_budget": 450,
    "tier": 1,
    "tags": [
      "adr",
      "architecture-decision"
    ],
    "references": [
      "skills/ct-adr-recorder/SKILL.md"
    ],
    "capabilities": {
      "inputs": [
        "TASK_ID",
        "TOPIC",
        "DATE",
        "DEPENDS_LIST"
      ],
      "outputs": [
        "decision-record",
        "manifest-entry"
      ],
      "dispatch_triggers": [
        "write an ADR",
        "document the architecture decision"
      ]
    },
    "sha256": "392c4b3e25eaa606bad885572622c5e09b66d233bfcb487e9f6c1f69d3338fb2",
    "template": true,
    "protocol": "specification",
    "tokens": 291
  },
  {
    "name": "ct-consensus-voter",
    "version": "1.1.0",
    "description": "Judge options as one of several independent voters and record votes with confidence, rationale and evidence. Use when a decision is put to a vote among agents and CLEO computes the verdict.",
    "path": "skills/ct-consensus-voter",
    "token_budget": 500,
    "tier": 1,
    "tags": [
      "consensus"
    ],
    "references": [
      "skills/ct-consensus-voter/SKILL.md"
    ],
    "capabilities": {
      "inputs": [
        "TASK_ID",
        "ACCEPTANCE_CRITERIA",
        "DEPENDS_LIST"
      ],
      "outputs": [
        "votes",
        "analysis-file",
        "manifest-entry"
      ],
      "dispatch_triggers": [
        "multi-agent consensus",
        "vote on the options"
      ]
    },
    "sha256": "2a8b3e2d8dc615dd07c86b19d158822b1272dab594f46459c42dadb94bbffa35",
    "template": true,
    "protocol": "consensus",
    "tokens": 332
  },
  {
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
    "sha256": "292ab14f1a6177086d80ba58e061821c834767f29c22ea24f20168b27a7568b4",
    "template": true,
    "protocol": "contribution",
    "tokens": 286
  },
  {
    "name": "ct-epic-architect",
    "version": "1.0.0",
    "description": "Split an epic into tasks with dependencies, declared files, sizes and acceptance criteria, ready to be worked on in parallel. Use when an epic has no tasks yet, or when a task proves too large for one agent.",
    "path": "skills/ct-epic-architect",
    "token_budget": 550,
    "tier": 1,
    "tags": [
      "decomposition",
      "breakdown"
    ],
    "references": [
      "skills/ct-epic-architect/SKILL.md",
      "skills/ct-epic-architect/references/worked-example.md"
    ],
    "capabilities": {
      "inputs": [
        "EPIC_ID",
        "TASK_DESCRIPTION",
        "ACCEPTANCE_CRITERIA"
      ],
      "outputs": [
        "tasks",
        "decomposition-file",
        "manifest-entry"
      ],
      "dispatch_triggers": [
        "break down the epic",
        "decompose the epic"
      ]
    },
    "sha256": "45eac15d02a3c025e5deaa8768c702aeda5d525dfeb8ecd247d1cec18ad30f8b",
    "template": true,
    "protocol": "decomposition",
    "tokens": 389
  },
  {
    "name": "ct-orchestrator",
    "version": "1.0.0",
    "description": "Lead an epic with CLEO: find ready tasks, spawn a subagent for each, check the results, decide what is next. Use when asked to orchestrate, coordinate or drive an epic through several agents. Not for carrying out a task.",
    "path": "skills/ct-orchestrator",
    "token_budget": 875,
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
    "sha256": "67f42c91f171ffb8c27eb8aa6f88cd6b58cc2a27df502d2ffafa19b77f10b1ca",
    "template": true,
    "tokens": 750
  },
  {
    "name": "ct-release",
    "version": "1.0.0",
    "description": "Prepare a version: choose the number, write changelog and migration notes, verify, tag. Use for the release stage of an epic, when tested work is to become a version that others install.",
    "path": "skills/ct-release",
    "token_budget": 450,
    "tier": 2,
    "tags": [
      "release"
    ],
    "references": [
      "skills/ct-release/SKILL.md"
    ],
    "capabilities": {
      "inputs": [
        "TASK_ID",
        "EPIC_ID",
        "DATE",
        "DEPENDS_LIST"
      ],
      "outputs": [
        "version",
        "changelog",
        "tag",
        "manifest-entry"
      ],
      "dispatch_triggers": [
        "publish the package"
      ]
    },
    "sha256": "2c32c9e6e4c3178b6936015d422fa1d246da6fd2680ab8e9908790e4519a5b00",
    "template": true,
    "protocol": "release",
    "tokens": 281
  },
  {
    "name": "ct-research-agent",
    "version": "1.0.0",
    "description": "Answer a question with sources: compare options, find causes, learn how something works, inside the project and outside. Use for tasks whose result is knowledge that others decide or build on, not a change.",
    "path": "skills/ct-research-agent",
    "token_budget": 500,
    "tier": 2,
    "tags": [
      "research",
      "investigation"
    ],
    "references": [
      "skills/ct-research-agent/SKILL.md"
    ],
    "capabilities": {
      "inputs": [
        "TASK_ID",
        "TOPIC",
        "OUTPUT_DIR"
      ],
      "outputs": [
        "research-report",
        "manifest-entry"
      ],
      "dispatch_triggers": [
        "feasibility study",
        "literature review",
        "survey the options"
      ]
    },
    "sha256": "1f44478b17d2c618f9b7200e00fcb7be730392972829cf4b4246da9dd42c616e",
    "template": true,
    "protocol": "research",
    "tokens": 311
  },
  {
    "name": "ct-spec-writer",
    "version": "1.0.0",
    "description": "Write a specification with numbered, testable requirements in the words of RFC 2119, with scope and conformance. Use when behaviour, an interface or a format has to be fixed before it is built.",
    "path": "skills/ct-spec-writer",
    "token_budget": 500,
    "tier": 1,
    "tags": [
      "specification",
      "spec",
      "rfc"
    ],
    "references": [
      "skills/ct-spec-writer/SKILL.md"
    ],
    "capabilities": {
      "inputs": [
        "TASK_ID",
        "TOPIC",
        "ACCEPTANCE_CRITERIA",
        "DEPENDS_LIST"
      ],
      "outputs": [
        "specification",
        "manifest-entry"
      ],
      "dispatch_triggers": [
        "write a specification",
        "write the specification",
        "draft an RFC"
      ]
    },
    "sha256": "90d9a267f513089788802e196d633ba0fef935739e993fb6cb04326ea1619d2d",
    "template": true,
    "protocol": "specification",
    "tokens": 308
  },
  {
    "name": "ct-task-executor",
    "version": "1.0.0",
    "description": "Carry out one task from its criteria to proven work. Reads, changes, tests and shows evidence. Use for building, fixing or refactoring, and for any task that no other skill fits.",
    "path": "skills/ct-task-executor",
    "token_budget": 400,
    "tier": 2,
    "tags": [
      "implementation"
    ],
    "references": [
      "skills/ct-task-executor/SKILL.md"
    ],
    "capabilities": {
      "inputs": [
        "TASK_ID",
        "TASK_DESCRIPTION",
        "ACCEPTANCE_CRITERIA",
        "DEPENDS_LIST"
      ],
      "outputs": [
        "change",
        "tests",
        "manifest-entry"
      ],
      "dispatch_triggers": []
    },
    "sha256": "8454ca073223baf0c5158c13b3172db36cca633e9ca5b5960eda64ff87adde95",
    "template": true,
    "protocol": "implementation",
    "tokens": 176
  },
  {
    "name": "ct-test-runner",
    "version": "1.0.0",
    "description": "Run a project's tests, sort failures by cause, reproduce them and say what goes back to implementation. Use in the testing stage, or when the state of a test suite has to be established.",
    "path": "skills/ct-test-runner",
    "token_budget": 450,
    "tier": 2,
    "tags": [
      "testing",
      "test-run"
    ],
    "references": [
      "skills/ct-test-runner/SKILL.md"
    ],
    "capabilities": {
      "inputs": [
        "TASK_ID",
        "ACCEPTANCE_CRITERIA",
        "DEPENDS_LIST"
      ],
      "outputs": [
        "test-results",
        "manifest-entry"
      ],
      "dispatch_triggers": [
        "test campaign",
        "regression run"
      ]
    },
    "sha256": "3524c3d030526f8af0ba47f58ef09a142d0c6bd4040521a34dcb549578d27dfb",
    "template": true,
    "protocol": "implementation",
    "tokens": 304
  },
  {
    "name": "ct-validator",
    "version": "1.0.0",
    "description": "Verify finished work against its acceptance criteria, independently of its author, and report what holds. Use in the validation stage, or when a result has to be confirmed independently.",
    "path": "skills/ct-validator",
    "token_budget": 450,
    "tier": 2,
    "tags": [
      "validation"
    ],
    "references": [
      "skills/ct-validator/SKILL.md"
    ],
    "capabilities": {
      "inputs": [
        "TASK_ID",
        "ACCEPTANCE_CRITERIA",
        "DEPENDS_LIST"
      ],
      "outputs": [
        "verification-report",
        "manifest-entry"
      ],
      "dispatch_triggers": [
        "verification report",
        "independent verification"
      ]
    },
    "sha256": "bbe4af5dca644fb837c53466fb7156557b1d0587d31bf1c4eb571647274bfb85",
    "template": true,
    "protocol": "implementation",
    "tokens": 302
  }
]

/** Loads one shipped skill by name, and nothing else. */
export const loadShipped = async (name: string): Promise<ShippedSkill | undefined> => {
  switch (name) {
    case 'ct-adr-recorder':
      return (await import('./skills/ct-adr-recorder.ts')).skill
    case 'ct-consensus-voter':
      return (await import('./skills/ct-consensus-voter.ts')).skill
    case 'ct-contribution':
      return (await import('./skills/ct-contribution.ts')).skill
    case 'ct-epic-architect':
      return (await import('./skills/ct-epic-architect.ts')).skill
    case 'ct-orchestrator':
      return (await import('./skills/ct-orchestrator.ts')).skill
    case 'ct-release':
      return (await import('./skills/ct-release.ts')).skill
    case 'ct-research-agent':
      return (await import('./skills/ct-research-agent.ts')).skill
    case 'ct-spec-writer':
      return (await import('./skills/ct-spec-writer.ts')).skill
    case 'ct-task-executor':
      return (await import('./skills/ct-task-executor.ts')).skill
    case 'ct-test-runner':
      return (await import('./skills/ct-test-runner.ts')).skill
    case 'ct-validator':
      return (await import('./skills/ct-validator.ts')).skill
    default:
      return undefined
  }
}
