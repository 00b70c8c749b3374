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
    "sha256": "b6e70a83161e7a9c0eb1a08a337f5c0170680eb534a565c54b696de35ebf5ba2",
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
    "sha256": "afa9fba9353ff0e69434bb5520448169bea0ac95bc91dd453b49d77185f5538a",
    "template": true,
    "protocol": "consensus",
    "tokens": 330
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
    "sha256": "ebaeb6ec53dc39fe155e03b6a9184c16ff929eae66e6984d34828fd80e22450f",
    "template": true,
    "protocol": "contribution",
    "tokens": 294
  },
  {
    "name": "ct-epic-architect",
    "version": "1.0.0",
    "description": "Cut an epic into tasks with dependencies, declared files, sizes and acceptance criteria, ready to be worked on in parallel. Use when an epic has no tasks yet, or when a task proves too large for one agent.",
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
    "sha256": "3e174c921542e4cc90889fbd645a4fe2902e9bdd53c59e4aadf6be971d8e3c9b",
    "template": true,
    "protocol": "decomposition",
    "tokens": 390
  },
  {
    "name": "ct-orchestrator",
    "version": "1.0.0",
    "description": "Lead an epic with CLEO: find what is ready, hand each task to a subagent, check what comes back, decide what is next. Use when asked to orchestrate, coordinate or drive an epic through several agents. Not for carrying out a task.",
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
    "sha256": "6c347aade70c4ca77a8f0cd3d9bc038a30d338a262671cdb86612914401ce1e5",
    "template": true,
    "tokens": 745
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
    "sha256": "24fe3bfd08caf5ce0d7b671e5a40c43929006b1e9e9e4002e311bf3a6f4ca8ae",
    "template": true,
    "protocol": "release",
    "tokens": 292
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
    "sha256": "8e82fefffff3066a7ff0fcfb7316a2ffe224e80f3af75837cd585bc00f4efb02",
    "template": true,
    "protocol": "research",
    "tokens": 319
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
    "sha256": "bd2a1e606726b845f63e55af3a3031d2f753bf7b5fdeabc0b515e625fff17cae",
    "template": true,
    "protocol": "specification",
    "tokens": 309
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
    "sha256": "66dc8c7637584b12d03a0888dc02be94f1ac0547d2ddb51d4d81b695fca650ba",
    "template": true,
    "protocol": "implementation",
    "tokens": 178
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
    "sha256": "a8d136143ae25acb9956a5a0067695079ca3ba7f35a7367226a1f9a69d9b99c6",
    "template": true,
    "protocol": "implementation",
    "tokens": 305
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
    "sha256": "e693295bd8fe3f99c1c2e7456076ab8a1232f88373193565c4abf4acd0b96b3c",
    "template": true,
    "protocol": "implementation",
    "tokens": 297
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
