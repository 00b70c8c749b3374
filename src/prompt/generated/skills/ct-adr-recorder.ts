// Made by `npm run generate`. Do not edit.
import type { ShippedSkill } from '../../shipped.ts'

export const skill: ShippedSkill = {
  "entry": {
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
    "tokens": 434
  },
  "frontMatter": "name: ct-adr-recorder\ndescription: >-\n  Write an architecture decision record: context, options, decision, consequences, in about a page.\n  Use when a choice that is costly to reverse has been taken, or is to be put before a person.\nlicense: MIT\nmetadata:\n  version: \"1.0.0\"\n  tier: \"1\"\n  token_budget: \"450\"\n  tags: \"adr, architecture-decision\"\n  dispatch_triggers: \"write an ADR, document the architecture decision\"\n  inputs: \"TASK_ID, TOPIC, DATE, DEPENDS_LIST\"\n  outputs: \"decision-record, manifest-entry\"\n  protocol: \"specification\"\n",
  "body": "\n## Summary\n\nA decision record answers one question years later: why is it like this, and may I change it?\n\n## Core Rules\n\n- One decision per record. Two decisions that can be reversed separately are two records.\n- You record; people decide. Without a person's word or a proven verdict the status is proposed.\n- Context holds facts and forces that were true on the day, with sources; it argues for nothing.\n- Name every serious option, what speaks for it, and the one reason it lost.\n- Consequences include the bad ones, and what becomes harder.\n- State what would make you revisit the decision: a number, an event, a version.\n- A record is never rewritten. A new one replaces it, and each names the other.\n\n## Procedure\n\n1. Find the records there are; take over their place, form and next number.\n2. Collect the forces from research findings, votes and constraints of the task.\n3. Write the decision as one sentence in the active voice, then the rest around it.\n4. Map it to the protocol: Scope is what the decision binds, Conformance is how one sees that it is kept.\n\n## Examples\n\nDecision: \"We store tasks in one SQLite file and allow PostgreSQL by configuration.\"\nLost: \"a server by default, because a first use must need no set-up\".\nRevisit: \"when more than one machine writes in an ordinary project\".\n",
  "demoted": "\n##### Summary\n\nA decision record answers one question years later: why is it like this, and may I change it?\n\n##### Core Rules\n\n- One decision per record. Two decisions that can be reversed separately are two records.\n- You record; people decide. Without a person's word or a proven verdict the status is proposed.\n- Context holds facts and forces that were true on the day, with sources; it argues for nothing.\n- Name every serious option, what speaks for it, and the one reason it lost.\n- Consequences include the bad ones, and what becomes harder.\n- State what would make you revisit the decision: a number, an event, a version.\n- A record is never rewritten. A new one replaces it, and each names the other.\n\n##### Procedure\n\n1. Find the records there are; take over their place, form and next number.\n2. Collect the forces from research findings, votes and constraints of the task.\n3. Write the decision as one sentence in the active voice, then the rest around it.\n4. Map it to the protocol: Scope is what the decision binds, Conformance is how one sees that it is kept.\n\n##### Examples\n\nDecision: \"We store tasks in one SQLite file and allow PostgreSQL by configuration.\"\nLost: \"a server by default, because a first use must need no set-up\".\nRevisit: \"when more than one machine writes in an ordinary project\".\n",
  "files": []
}
