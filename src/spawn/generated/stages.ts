// Made by `npm run generate`. Do not edit.
import type { Stage } from '../../kernel/task.ts'

export const stageTexts: Readonly<Record<Stage, string>> = {
  "architecture-decision": "Needs: the research report, and the verdict where votes were held.\nProduces: one decision record: context, options, decision, consequences.\nDone when: a newcomer can tell why the other options lost.\nTrap: making a decision that belongs to a person. Until the person decides, the status is proposed.\n",
  "consensus": "Needs: the research report, and options that differ.\nProduces: votes with confidence and evidence, and a computed verdict.\nDone when: you have voted on every option. CLEO computes the verdict; a person decides a contested one.\nTrap: voting for what others seem to want.\n",
  "contribution": "Cuts across: contribution can accompany any stage.\nProduces: an attribution record of tasks, commits, authors and decisions.\nDone when: every commit leads to a task, and every decision to its reason.\nTrap: crediting from memory instead of the log.\n",
  "decomposition": "Needs: the specification.\nProduces: tasks with criteria, files, sizes and dependencies.\nDone when: every requirement has its task, and the first wave can start at once.\nTrap: one task per layer, none of which works alone. Prefer tasks that can be checked alone.\n",
  "implementation": "Needs: criteria, dependencies' findings.\nProduces: committed code and tests.\nDone when: criteria are proven, checks pass.\nTrap: fixing more than the task names.\n",
  "release": "Needs: testing passed.\nProduces: version, changelog entry, tag.\nDone when: the tagged commit is the one whose gates passed.\nTrap: a last small change after the tests.\n",
  "research": "Needs: the question in the task.\nProduces: a research report with its sources.\nDone when: a reader of only the key findings can take the next step.\nTrap: solving the problem here. Findings lead to tasks, not to changes.\n",
  "specification": "Needs: the research report and the decisions taken.\nProduces: a specification in numbered requirements.\nDone when: a test could fail each requirement, and Scope says what is left out.\nTrap: describing code that exists instead of what must hold.\n",
  "testing": "Needs: validated implementation.\nProduces: test results with counts, and for each failure how to reproduce it.\nDone when: all tests pass, or the work goes back with its failures named.\nLimit: back to implementation at most 5 times, then a person decides.\nTrap: repeating tests until they pass. A flaky test is a finding.\n",
  "validation": "Needs: implementation finished by another agent than you. If you wrote it, report blocked.\nProduces: a verification report, criterion by criterion.\nDone when: each criterion is confirmed or refuted by something you ran or read yourself.\nTrap: trusting the author's report, or fixing what you find. Only report it.\n"
}
