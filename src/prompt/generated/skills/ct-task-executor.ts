// Made by `npm run generate`. Do not edit.
import type { ShippedSkill } from '../../shipped.ts'

export const skill: ShippedSkill = {
  "entry": {
    "name": "ct-task-executor",
    "version": "1.0.0",
    "description": "Carry out one task from its criteria to proven work: read, change, test, show evidence. Use for building, fixing or refactoring, and for any task that no other skill fits.",
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
    "sha256": "4708383179fd05fb2124bc03dad378c0408f54b4894a2e37dba76cad226da5b4",
    "template": true,
    "protocol": "implementation",
    "tokens": 374
  },
  "frontMatter": "name: ct-task-executor\ndescription: >-\n  Carry out one task from its criteria to proven work: read, change, test, show evidence.\n  Use for building, fixing or refactoring, and for any task that no other skill fits.\nlicense: MIT\nmetadata:\n  version: \"1.0.0\"\n  tier: \"2\"\n  token_budget: \"400\"\n  tags: \"implementation\"\n  inputs: \"TASK_ID, TASK_DESCRIPTION, ACCEPTANCE_CRITERIA, DEPENDS_LIST\"\n  outputs: \"change, tests, manifest-entry\"\n  protocol: \"implementation\"\n",
  "body": "\n## Summary\n\nThe smallest change that meets every criterion, and proof that it does.\n\n## Core Rules\n\n- Turn each criterion into a check that fails today, before you change anything.\n- Read the declared files, their tests and one neighbour that does something similar; follow its shape.\n- A fault gets a test that shows it before it gets a repair; look for its siblings.\n- No new dependency, no refactoring on the side, no option nobody asked for.\n- When something fails twice, stop changing things: read the whole message, state one cause, test that.\n- Handle nothing, too much, twice and half done, where the task's input can be so.\n\n## Procedure\n\n1. Read. If two criteria contradict each other or a dependency's findings, that is a blocker; find it now.\n2. Check, change, check again, one criterion at a time; commit when it holds.\n3. Run all checks of the project, read your own diff as a stranger, and remove what is not needed.\n\n## Examples\n\nCriterion \"rejects an empty name\": a test that submits \"\" and fails; the check; the same test passing; the test file as\nevidence for that criterion.\n",
  "demoted": "\n##### Summary\n\nThe smallest change that meets every criterion, and proof that it does.\n\n##### Core Rules\n\n- Turn each criterion into a check that fails today, before you change anything.\n- Read the declared files, their tests and one neighbour that does something similar; follow its shape.\n- A fault gets a test that shows it before it gets a repair; look for its siblings.\n- No new dependency, no refactoring on the side, no option nobody asked for.\n- When something fails twice, stop changing things: read the whole message, state one cause, test that.\n- Handle nothing, too much, twice and half done, where the task's input can be so.\n\n##### Procedure\n\n1. Read. If two criteria contradict each other or a dependency's findings, that is a blocker; find it now.\n2. Check, change, check again, one criterion at a time; commit when it holds.\n3. Run all checks of the project, read your own diff as a stranger, and remove what is not needed.\n\n##### Examples\n\nCriterion \"rejects an empty name\": a test that submits \"\" and fails; the check; the same test passing; the test file as\nevidence for that criterion.\n",
  "files": []
}
