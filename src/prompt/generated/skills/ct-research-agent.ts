// Made by `npm run generate`. Do not edit.
import type { ShippedSkill } from '../../shipped.ts'

export const skill: ShippedSkill = {
  "entry": {
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
    "sha256": "dc9536a3cbf4d4b27372a29761d7f45fd349f8b4c62f6fd1cdd336b6ba6112e7",
    "template": true,
    "protocol": "research",
    "tokens": 458
  },
  "frontMatter": "name: ct-research-agent\ndescription: >-\n  Answer a question with sources: compare options, find causes, learn how something works, inside the project and outside.\n  Use for tasks whose result is knowledge that others decide or build on, not a change.\nlicense: MIT\nmetadata:\n  version: \"1.0.0\"\n  tier: \"2\"\n  token_budget: \"500\"\n  tags: \"research, investigation\"\n  dispatch_triggers: \"feasibility study, literature review, survey the options\"\n  inputs: \"TASK_ID, TOPIC, OUTPUT_DIR\"\n  outputs: \"research-report, manifest-entry\"\n  protocol: \"research\"\n",
  "body": "\n## Summary\n\nTurn a question into a few findings somebody can act on, each traceable to its source.\n\n## Core Rules\n\n- Write down the question, and what an answer would look like, before you search.\n- Go to the origin: the code over its comments, the standard over the article, the changelog over the rumour.\n- What can be tried is tried. A measured number beats three opinions; say on what it was measured.\n- Check the date and version of every source against what the project uses.\n- Look for what speaks against your favourite. No counter-evidence means that you have not searched for it.\n- A claim a decision hangs on needs two sources that do not copy each other.\n- Give each finding a confidence: seen, well sourced, or conclusion.\n\n## Procedure\n\n1. Search the project: code, docs, earlier entries (`cleo memory find`, `cleo manifest find`). The answer may be there.\n2. List the options and the few criteria that separate them; drop criteria on which all are equal.\n3. Fill in the table, one source per cell. An empty cell stays empty and is named.\n4. Recommend one option, with the condition under which you would choose another.\n5. Write the findings last, for a reader who sees nothing else.\n\n## Examples\n\nWeak: \"Looked at three hashing libraries; all have advantages.\"\nStrong: \"Argon2id at the settings of source 2 fits in 64 MiB on our smallest server (measured); bcrypt cuts input at 72 bytes.\"\n",
  "demoted": "\n##### Summary\n\nTurn a question into a few findings somebody can act on, each traceable to its source.\n\n##### Core Rules\n\n- Write down the question, and what an answer would look like, before you search.\n- Go to the origin: the code over its comments, the standard over the article, the changelog over the rumour.\n- What can be tried is tried. A measured number beats three opinions; say on what it was measured.\n- Check the date and version of every source against what the project uses.\n- Look for what speaks against your favourite. No counter-evidence means that you have not searched for it.\n- A claim a decision hangs on needs two sources that do not copy each other.\n- Give each finding a confidence: seen, well sourced, or conclusion.\n\n##### Procedure\n\n1. Search the project: code, docs, earlier entries (`cleo memory find`, `cleo manifest find`). The answer may be there.\n2. List the options and the few criteria that separate them; drop criteria on which all are equal.\n3. Fill in the table, one source per cell. An empty cell stays empty and is named.\n4. Recommend one option, with the condition under which you would choose another.\n5. Write the findings last, for a reader who sees nothing else.\n\n##### Examples\n\nWeak: \"Looked at three hashing libraries; all have advantages.\"\nStrong: \"Argon2id at the settings of source 2 fits in 64 MiB on our smallest server (measured); bcrypt cuts input at 72 bytes.\"\n",
  "files": []
}
