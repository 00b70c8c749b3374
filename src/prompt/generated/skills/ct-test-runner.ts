// Made by `npm run generate`. Do not edit.
import type { ShippedSkill } from '../../shipped.ts'

export const skill: ShippedSkill = {
  "entry": {
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
    "tokens": 441
  },
  "frontMatter": "name: ct-test-runner\ndescription: >-\n  Run a project's tests, sort failures by cause, reproduce them and say what goes back to implementation.\n  Use in the testing stage, or when the state of a test suite has to be established.\nlicense: MIT\nmetadata:\n  version: \"1.0.0\"\n  tier: \"2\"\n  token_budget: \"450\"\n  tags: \"testing, test-run\"\n  dispatch_triggers: \"test campaign, regression run\"\n  inputs: \"TASK_ID, ACCEPTANCE_CRITERIA, DEPENDS_LIST\"\n  outputs: \"test-results, manifest-entry\"\n  protocol: \"implementation\"\n",
  "body": "\n## Summary\n\nTell the truth about the tests: what ran, what failed, why, and what was never tested.\n\n## Core Rules\n\n- Use the project's own test command, from a clean state, on the commit under test. Write the commit down.\n- Zero tests run is a failure. Compare the count with the last known one.\n- Sort each failure: fault in the work, fault in the test, flaky, or environment. Say how you know.\n- Reproduce a failure alone and in the smallest form before you name its cause.\n- Flaky is shown by repeats with counts (failed 3 of 20), never assumed.\n- No test is skipped, loosened or deleted here, and no assertion changed.\n- Count your rounds: after the fifth time back to implementation a person decides.\n\n## Procedure\n\n1. Run everything once and keep the raw output beside the report.\n2. Group failures by their first cause; ten red tests are often one fault.\n3. Check each criterion: which test would fail if it did not hold? None is a gap; add a test or report it.\n4. Per fault: command to reproduce, expected, seen, suspected place. That is what goes back.\n\n## Examples\n\n214 ran, 212 passed, 2 failed, 0 skipped, at 4f2c1aa.\nFault 1 (both failures): an empty cart divides by zero, line 31 of the totals. Reproduce: total of no items.\n",
  "demoted": "\n##### Summary\n\nTell the truth about the tests: what ran, what failed, why, and what was never tested.\n\n##### Core Rules\n\n- Use the project's own test command, from a clean state, on the commit under test. Write the commit down.\n- Zero tests run is a failure. Compare the count with the last known one.\n- Sort each failure: fault in the work, fault in the test, flaky, or environment. Say how you know.\n- Reproduce a failure alone and in the smallest form before you name its cause.\n- Flaky is shown by repeats with counts (failed 3 of 20), never assumed.\n- No test is skipped, loosened or deleted here, and no assertion changed.\n- Count your rounds: after the fifth time back to implementation a person decides.\n\n##### Procedure\n\n1. Run everything once and keep the raw output beside the report.\n2. Group failures by their first cause; ten red tests are often one fault.\n3. Check each criterion: which test would fail if it did not hold? None is a gap; add a test or report it.\n4. Per fault: command to reproduce, expected, seen, suspected place. That is what goes back.\n\n##### Examples\n\n214 ran, 212 passed, 2 failed, 0 skipped, at 4f2c1aa.\nFault 1 (both failures): an empty cart divides by zero, line 31 of the totals. Reproduce: total of no items.\n",
  "files": []
}
