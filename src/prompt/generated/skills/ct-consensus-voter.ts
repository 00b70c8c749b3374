// Made by `npm run generate`. Do not edit.
import type { ShippedSkill } from '../../shipped.ts'

export const skill: ShippedSkill = {
  "entry": {
    "name": "ct-consensus-voter",
    "version": "1.0.0",
    "description": "Judge options as one of several independent voters and record votes with confidence, rationale and evidence. Use when a decision is put to a vote among agents and CLEO computes the verdict.",
    "path": "skills/ct-consensus-voter",
    "token_budget": 450,
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
    "sha256": "018fb23ed17e22ea6bf72efba59d5949e1bb43730137a7e640737605a4ed7dbd",
    "template": true,
    "protocol": "consensus",
    "tokens": 428
  },
  "frontMatter": "name: ct-consensus-voter\ndescription: >-\n  Judge options as one of several independent voters and record votes with confidence, rationale and evidence.\n  Use when a decision is put to a vote among agents and CLEO computes the verdict.\nlicense: MIT\nmetadata:\n  version: \"1.0.0\"\n  tier: \"1\"\n  token_budget: \"450\"\n  tags: \"consensus\"\n  dispatch_triggers: \"multi-agent consensus, vote on the options\"\n  inputs: \"TASK_ID, ACCEPTANCE_CRITERIA, DEPENDS_LIST\"\n  outputs: \"votes, analysis-file, manifest-entry\"\n  protocol: \"consensus\"\n",
  "body": "\n## Summary\n\nSeveral agents judge alone, so that their errors differ. Your worth lies in independence and in honest confidence.\n\n## Core Rules\n\n- Form your view from the evidence first; read other votes afterwards, if at all.\n- Each option is judged against the criteria, not against the one you like best. You may accept two, or none.\n- Confidence is how often you would be right in ten such cases. Use the whole range; 0.9 everywhere says nothing.\n- Abstain where you lack the knowledge. An abstention harms nobody, a guess moves the result.\n- Say what evidence would turn your vote.\n- A fatal flaw is a conflict of high severity, not merely a low confidence.\n\n## Procedure\n\n1. Copy the options and criteria; if an option is not clear enough to be built, that is a conflict.\n2. For each option write the strongest case for it, then the strongest against it.\n3. Check the facts that both cases rest on: look them up, run them.\n4. Vote on every option, then write the file: one section per option with vote, confidence, reasons, evidence, conflicts.\n\n## Examples\n\nOption \"one shared queue\": reject, 0.7. A dead worker's job stays locked for hours (entry of T014, finding 2). Would accept\nwith a lease. Conflict with \"no daemon\" of the specification, high.\n",
  "demoted": "\n##### Summary\n\nSeveral agents judge alone, so that their errors differ. Your worth lies in independence and in honest confidence.\n\n##### Core Rules\n\n- Form your view from the evidence first; read other votes afterwards, if at all.\n- Each option is judged against the criteria, not against the one you like best. You may accept two, or none.\n- Confidence is how often you would be right in ten such cases. Use the whole range; 0.9 everywhere says nothing.\n- Abstain where you lack the knowledge. An abstention harms nobody, a guess moves the result.\n- Say what evidence would turn your vote.\n- A fatal flaw is a conflict of high severity, not merely a low confidence.\n\n##### Procedure\n\n1. Copy the options and criteria; if an option is not clear enough to be built, that is a conflict.\n2. For each option write the strongest case for it, then the strongest against it.\n3. Check the facts that both cases rest on: look them up, run them.\n4. Vote on every option, then write the file: one section per option with vote, confidence, reasons, evidence, conflicts.\n\n##### Examples\n\nOption \"one shared queue\": reject, 0.7. A dead worker's job stays locked for hours (entry of T014, finding 2). Would accept\nwith a lease. Conflict with \"no daemon\" of the specification, high.\n",
  "files": []
}
