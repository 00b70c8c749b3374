// Made by `npm run generate`. Do not edit.
import type { Stage } from '../../kernel/task.ts'

export const stageTexts: Readonly<Record<Stage, string>> = {
  "architecture-decision": "Needs: the research report, and the verdict where votes were held.\nProduces: one decision record: context, options, decision, consequences.\nDone when: a newcomer can tell why the other options lost.\nTrap: taking a decision that is a person's. Without their word its status is proposed.\n",
  "consensus": "Needs: the research report, and options that differ.\nProduces: votes with confidence and evidence, and a computed verdict.\nDone when: you have voted on every option. The verdict follows from all votes; a contested one goes to a person.\nTrap: voting for what others seem to want.\n",
  "contribution": "Cuts across: it goes with any stage.\nProduces: an attribution record of tasks, commits, authors and decisions.\nDone when: every commit leads to a task, and every decision to its reason.\nTrap: crediting from memory instead of the log.\n",
  "decomposition": "Needs: the specification.\nProduces: tasks with criteria, files, sizes and dependencies.\nDone when: every requirement has its task, and the first wave can start at once.\nTrap: tasks by layer that only work together. Prefer slices that can be checked alone.\n",
  "implementation": "Needs: criteria, dependencies' findings.\nProduces: committed code and tests.\nDone when: criteria are proven, checks pass.\nTrap: fixing more than the task names.\n",
  "release": "Needs: testing passed.\nProduces: version, changelog entry, tag.\nDone when: the tagged commit is the one whose gates passed.\nTrap: a last small change after the tests.\n",
  "research": "Needs: the question in the task; no stage comes before.\nProduces: a research report with its sources.\nDone when: a reader of only the key findings can take the next step.\nTrap: solving it here. Findings lead to tasks, not to changes.\n",
  "specification": "Needs: the research report and the decisions taken.\nProduces: a specification in numbered requirements.\nDone when: each requirement could fail a test, and scope says what is left out.\nTrap: describing code that exists instead of what must hold.\n",
  "testing": "Needs: implementation that was validated.\nProduces: test results with counts, and for each failure how to reproduce it.\nDone when: all tests pass, or the work goes back with its failures named.\nLimit: back to implementation at most 5 times, then a person decides.\nTrap: running again until it is green. A flaky test is a finding.\n",
  "validation": "Needs: finished implementation, by another agent than you. If you wrote it, you are blocked.\nProduces: a verification report, criterion by criterion.\nDone when: each criterion is confirmed or refuted by something you ran or read yourself.\nTrap: trusting the author's report, or repairing what you find. Report it.\n"
}
