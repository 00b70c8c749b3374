// Made by `npm run generate`. Do not edit.
import type { ShippedSkill } from '../../shipped.ts'

export const skill: ShippedSkill = {
  "entry": {
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
    "tokens": 540
  },
  "frontMatter": "name: ct-epic-architect\ndescription: >-\n  Cut an epic into tasks with dependencies, declared files, sizes and acceptance criteria, ready to be worked on in parallel.\n  Use when an epic has no tasks yet, or when a task proves too large for one agent.\nlicense: MIT\nmetadata:\n  version: \"1.0.0\"\n  tier: \"1\"\n  token_budget: \"550\"\n  tags: \"decomposition, breakdown\"\n  dispatch_triggers: \"break down the epic, decompose the epic\"\n  inputs: \"EPIC_ID, TASK_DESCRIPTION, ACCEPTANCE_CRITERIA\"\n  outputs: \"tasks, decomposition-file, manifest-entry\"\n  protocol: \"decomposition\"\n",
  "body": "\n## Summary\n\nGood tasks can be done alone, checked alone and, where files differ, at the same time.\n\n## Core Rules\n\n- Cut by result, not by layer: \"a person can sign up\" rather than \"all tables\".\n- Settle what others build on first: a format, an interface, a table. It makes a small first wave and wide later ones.\n- Declare files honestly. Two tasks that touch the same file wait for each other, so cut along files where you can.\n- A criterion names something observable and how to see it fail. \"Works\" and \"is clean\" are none.\n- Unknowns become a research task that the others depend on, not a remark.\n- Write for an agent that sees this task alone: what, where, which neighbour to follow, what not to touch.\n- Large is a reason to cut again. A leaf that stays large says why.\n\n## Procedure\n\n1. List the requirements of the specification and give each a result that proves it.\n2. Group results into at most 7 tasks a parent; add subtasks only where a task would pass 3 files.\n3. For each pair ask: does this one need what that one makes? Only then is it a dependency.\n4. Write the rows, create them in one batch, and look at waves and critical path. One long chain means too many dependencies.\n5. In the file: requirement, task, criterion, side by side. A line without a task is a gap.\n\n## Examples\n\nA whole batch is in [references/worked-example.md](references/worked-example.md). One row:\n\n```json\n{\"key\":\"hash\",\"title\":\"Store passwords as hashes\",\"parent\":\"<the epic>\",\"description\":\"By the method that choose names.\",\"depends\":[\"choose\"],\"size\":\"small\",\"files\":[\"src/password\"],\"acceptance\":[\"equal passwords are stored differently\"]}\n```\n",
  "demoted": "\n##### Summary\n\nGood tasks can be done alone, checked alone and, where files differ, at the same time.\n\n##### Core Rules\n\n- Cut by result, not by layer: \"a person can sign up\" rather than \"all tables\".\n- Settle what others build on first: a format, an interface, a table. It makes a small first wave and wide later ones.\n- Declare files honestly. Two tasks that touch the same file wait for each other, so cut along files where you can.\n- A criterion names something observable and how to see it fail. \"Works\" and \"is clean\" are none.\n- Unknowns become a research task that the others depend on, not a remark.\n- Write for an agent that sees this task alone: what, where, which neighbour to follow, what not to touch.\n- Large is a reason to cut again. A leaf that stays large says why.\n\n##### Procedure\n\n1. List the requirements of the specification and give each a result that proves it.\n2. Group results into at most 7 tasks a parent; add subtasks only where a task would pass 3 files.\n3. For each pair ask: does this one need what that one makes? Only then is it a dependency.\n4. Write the rows, create them in one batch, and look at waves and critical path. One long chain means too many dependencies.\n5. In the file: requirement, task, criterion, side by side. A line without a task is a gap.\n\n##### Examples\n\nA whole batch is in [references/worked-example.md](references/worked-example.md). One row:\n\n```json\n{\"key\":\"hash\",\"title\":\"Store passwords as hashes\",\"parent\":\"<the epic>\",\"description\":\"By the method that choose names.\",\"depends\":[\"choose\"],\"size\":\"small\",\"files\":[\"src/password\"],\"acceptance\":[\"equal passwords are stored differently\"]}\n```\n",
  "files": [
    {
      "path": "references/worked-example.md",
      "text": "# A worked example\n\nEpic T001, \"Customer accounts: people can sign up and sign in\". The rows go to `cleo add --batch` on standard input:\n\n```json\n[\n  {\"key\":\"choose\",\"title\":\"Compare password hashing\",\"parent\":\"T001\",\"labels\":[\"research\"],\"size\":\"small\",\n   \"description\":\"Which algorithm and settings fit our smallest server?\",\n   \"acceptance\":[\"names one algorithm with settings and a measured cost\"]},\n  {\"key\":\"table\",\"title\":\"Accounts table\",\"parent\":\"T001\",\"size\":\"small\",\"files\":[\"db/accounts.sql\"],\n   \"description\":\"One row for each account; addresses are compared without case.\",\n   \"acceptance\":[\"a second account with the same address is refused\"]},\n  {\"key\":\"hash\",\"title\":\"Store passwords as hashes\",\"parent\":\"T001\",\"depends\":[\"choose\"],\"size\":\"small\",\n   \"description\":\"By the algorithm and settings that choose found.\",\n   \"files\":[\"src/password\",\"test/password\"],\n   \"acceptance\":[\"the stored value differs for equal passwords\",\"a wrong password does not verify\"]},\n  {\"key\":\"signup\",\"title\":\"Sign-up form\",\"parent\":\"T001\",\"depends\":[\"hash\",\"table\"],\"size\":\"medium\",\n   \"description\":\"A form with address and password, and the handler behind it.\",\n   \"files\":[\"src/signup\",\"test/signup\"],\n   \"acceptance\":[\"a malformed address is refused with a message\",\"a new account can sign in\"]},\n  {\"key\":\"signin\",\"title\":\"Sign-in form\",\"parent\":\"T001\",\"depends\":[\"hash\",\"table\"],\"size\":\"medium\",\n   \"description\":\"The counterpart of sign-up, on the same pattern.\",\n   \"files\":[\"src/signin\",\"test/signin\"],\n   \"acceptance\":[\"five wrong passwords in a row lock the account\",\"the answer does not tell which part was wrong\"]}\n]\n```\n\nWhat to see in it:\n\n- Three waves: choose and table; hash; signup and signin. No two tasks of a wave share a file.\n- The open question is a task, and only the task that needs its answer waits for it.\n- signup does not wait for signin. They would follow each other in a story, but neither uses the other.\n- Each row has a description: whoever gets the task sees nothing else.\n- Each criterion can be seen to fail before the work and to hold after it.\n"
    }
  ]
}
