// Made by `npm run generate`. Do not edit.
import type { ShippedSkill } from '../../shipped.ts'

export const skill: ShippedSkill = {
  "entry": {
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
    "tokens": 461
  },
  "frontMatter": "name: ct-spec-writer\ndescription: >-\n  Write a specification with numbered, testable requirements in the words of RFC 2119, with scope and conformance.\n  Use when behaviour, an interface or a format has to be fixed before it is built.\nlicense: MIT\nmetadata:\n  version: \"1.0.0\"\n  tier: \"1\"\n  token_budget: \"500\"\n  tags: \"specification, spec, rfc\"\n  dispatch_triggers: \"write a specification, write the specification, draft an RFC\"\n  inputs: \"TASK_ID, TOPIC, ACCEPTANCE_CRITERIA, DEPENDS_LIST\"\n  outputs: \"specification, manifest-entry\"\n  protocol: \"specification\"\n",
  "body": "\n## Summary\n\nSay what must hold, so that two people who never talk build things that work together.\n\n## Core Rules\n\n- Requirements speak of what can be observed from outside, never of how it is built.\n- MUST is for what breaks others if missing, SHOULD for what may be left with a reason, MAY for a real choice. If everything\n  is a MUST, nothing was decided.\n- One subject, one keyword, one condition per requirement. \"And\" often hides a second one.\n- Replace fast, simple, robust, appropriate by a number, a comparison or an example.\n- Define each term once and use no second word for it.\n- Give limits: smallest, largest, how many, in which order, what on a tie.\n- Every error has a condition, an answer and a state afterwards.\n\n## Procedure\n\n1. List who relies on it and what each may assume. These are your sections.\n2. Write the ordinary case as an example with real values; derive requirements from it.\n3. Go through each requirement: nothing given, too much, twice, at once, in the wrong order, half done.\n4. Strike every sentence that no test could contradict, or move it to a rationale.\n5. Trace: each criterion of the task points to the numbers that fulfil it.\n\n## Examples\n\nWeak: \"The export should handle large projects quickly.\"\nStrong: \"EXP-4: An export of 10,000 tasks MUST NOT use more than 100 MB of memory.\"\n",
  "demoted": "\n##### Summary\n\nSay what must hold, so that two people who never talk build things that work together.\n\n##### Core Rules\n\n- Requirements speak of what can be observed from outside, never of how it is built.\n- MUST is for what breaks others if missing, SHOULD for what may be left with a reason, MAY for a real choice. If everything\n  is a MUST, nothing was decided.\n- One subject, one keyword, one condition per requirement. \"And\" often hides a second one.\n- Replace fast, simple, robust, appropriate by a number, a comparison or an example.\n- Define each term once and use no second word for it.\n- Give limits: smallest, largest, how many, in which order, what on a tie.\n- Every error has a condition, an answer and a state afterwards.\n\n##### Procedure\n\n1. List who relies on it and what each may assume. These are your sections.\n2. Write the ordinary case as an example with real values; derive requirements from it.\n3. Go through each requirement: nothing given, too much, twice, at once, in the wrong order, half done.\n4. Strike every sentence that no test could contradict, or move it to a rationale.\n5. Trace: each criterion of the task points to the numbers that fulfil it.\n\n##### Examples\n\nWeak: \"The export should handle large projects quickly.\"\nStrong: \"EXP-4: An export of 10,000 tasks MUST NOT use more than 100 MB of memory.\"\n",
  "files": []
}
