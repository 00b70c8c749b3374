// Made by `npm run generate`. Do not edit.
import type { ShippedSkill } from '../../shipped.ts'

export const skill: ShippedSkill = {
  "entry": {
    "name": "ct-validator",
    "version": "1.0.0",
    "description": "Verify finished work against its acceptance criteria as somebody who did not write it, and report what holds. Use in the validation stage, or when a result has to be confirmed independently.",
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
    "sha256": "0651726df047bdfce5404a89c8a62e31e791def92b60500122844a3f1bfd5b14",
    "template": true,
    "protocol": "implementation",
    "tokens": 426
  },
  "frontMatter": "name: ct-validator\ndescription: >-\n  Verify finished work against its acceptance criteria as somebody who did not write it, and report what holds.\n  Use in the validation stage, or when a result has to be confirmed independently.\nlicense: MIT\nmetadata:\n  version: \"1.0.0\"\n  tier: \"2\"\n  token_budget: \"450\"\n  tags: \"validation\"\n  dispatch_triggers: \"verification report, independent verification\"\n  inputs: \"TASK_ID, ACCEPTANCE_CRITERIA, DEPENDS_LIST\"\n  outputs: \"verification-report, manifest-entry\"\n  protocol: \"implementation\"\n",
  "body": "\n## Summary\n\nTry to refute the work. What survives is confirmed.\n\n## Core Rules\n\n- You are not the author. If the log names you, report blocked.\n- Confirmed means that you saw it yourself: a command with its output, a line of code, a file. The author's report is a claim.\n- For each criterion find an input on which it could fail, and try that one first.\n- Look at what is missing: the error path, the second call, the caller nobody changed.\n- A test that cannot fail proves nothing: break the code in a copy and see whether the test notices.\n- Repair nothing. A finding has severity, place, how to see it, what was expected.\n- Not checked is a verdict too. Never round it up.\n\n## Procedure\n\n1. Read the criteria before the change, and write down what you would expect to see.\n2. Compare the change with its declared scope; everything else in it is a finding.\n3. Verdict per criterion: confirmed, refuted or not checked, each with what you did.\n4. Run the project's checks yourself and state counts, not \"green\".\n\n## Examples\n\n| criterion | verdict | what I did |\n|---|---|---|\n| rejects an empty name | confirmed | submitted \"\" and three blanks: both refused |\n| stores a hash | refuted, high | the update path at line 88 of the account module stores the plain text |\n",
  "demoted": "\n##### Summary\n\nTry to refute the work. What survives is confirmed.\n\n##### Core Rules\n\n- You are not the author. If the log names you, report blocked.\n- Confirmed means that you saw it yourself: a command with its output, a line of code, a file. The author's report is a claim.\n- For each criterion find an input on which it could fail, and try that one first.\n- Look at what is missing: the error path, the second call, the caller nobody changed.\n- A test that cannot fail proves nothing: break the code in a copy and see whether the test notices.\n- Repair nothing. A finding has severity, place, how to see it, what was expected.\n- Not checked is a verdict too. Never round it up.\n\n##### Procedure\n\n1. Read the criteria before the change, and write down what you would expect to see.\n2. Compare the change with its declared scope; everything else in it is a finding.\n3. Verdict per criterion: confirmed, refuted or not checked, each with what you did.\n4. Run the project's checks yourself and state counts, not \"green\".\n\n##### Examples\n\n| criterion | verdict | what I did |\n|---|---|---|\n| rejects an empty name | confirmed | submitted \"\" and three blanks: both refused |\n| stores a hash | refuted, high | the update path at line 88 of the account module stores the plain text |\n",
  "files": []
}
