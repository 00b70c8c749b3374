// Made by `npm run generate`. Do not edit.
import type { ShippedSkill } from '../../shipped.ts'

export const skill: ShippedSkill = {
  "entry": {
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
    "sha256": "323bed215fc494e1a337af7d49884fcd62d79c5b99d35719dd6725872df4254f",
    "template": true,
    "protocol": "release",
    "tokens": 424
  },
  "frontMatter": "name: ct-release\ndescription: >-\n  Prepare a version: choose the number, write changelog and migration notes, verify, tag.\n  Use for the release stage of an epic, when tested work is to become a version that others install.\nlicense: MIT\nmetadata:\n  version: \"1.0.0\"\n  tier: \"2\"\n  token_budget: \"450\"\n  tags: \"release\"\n  dispatch_triggers: \"publish the package\"\n  inputs: \"TASK_ID, EPIC_ID, DATE, DEPENDS_LIST\"\n  outputs: \"version, changelog, tag, manifest-entry\"\n  protocol: \"release\"\n",
  "body": "\n## Summary\n\nA version is a promise. Find out what changed, say it to those who use it, and tag exactly what was tested.\n\n## Core Rules\n\n- The number follows from the changes: something breaks, major; something is new, minor; otherwise patch. Below 1.0 a break\n  raises the minor.\n- What breaks is decided by users: removed or renamed names, changed defaults, formats, exit codes, higher requirements.\n- Changelog entries say what a user can do now or must do differently. Internal work stays out.\n- A migration note has before, after, and how to find the places.\n- Search for the old number before you finish; each hit is changed or has a reason to stay.\n- Build what you ship from the tagged commit in a clean folder, and start it once.\n\n## Procedure\n\n1. Read every commit since the last tag, and the tasks they name. A commit without a task is a question.\n2. Sort into breaking, new, fixed; choose the number; write changelog and notes.\n3. Change the number everywhere in one commit; run all gates on it.\n4. Tag, build from the tag, try it. What leaves the machine waits for a person's word.\n\n## Examples\n\nWeak: \"Refactored the exporter (T031).\"\nStrong: \"`export` writes tasks in id order, so two exports can be compared.\"\n",
  "demoted": "\n##### Summary\n\nA version is a promise. Find out what changed, say it to those who use it, and tag exactly what was tested.\n\n##### Core Rules\n\n- The number follows from the changes: something breaks, major; something is new, minor; otherwise patch. Below 1.0 a break\n  raises the minor.\n- What breaks is decided by users: removed or renamed names, changed defaults, formats, exit codes, higher requirements.\n- Changelog entries say what a user can do now or must do differently. Internal work stays out.\n- A migration note has before, after, and how to find the places.\n- Search for the old number before you finish; each hit is changed or has a reason to stay.\n- Build what you ship from the tagged commit in a clean folder, and start it once.\n\n##### Procedure\n\n1. Read every commit since the last tag, and the tasks they name. A commit without a task is a question.\n2. Sort into breaking, new, fixed; choose the number; write changelog and notes.\n3. Change the number everywhere in one commit; run all gates on it.\n4. Tag, build from the tag, try it. What leaves the machine waits for a person's word.\n\n##### Examples\n\nWeak: \"Refactored the exporter (T031).\"\nStrong: \"`export` writes tasks in id order, so two exports can be compared.\"\n",
  "files": []
}
