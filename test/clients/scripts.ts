import type { ClientName } from './fetched.ts'
import type { Agent, Step } from './model/scenario.ts'

/** Patterns for what a subagent reads in its prompt. */
const fromPrompt = {
  prompt: 'Read (/\\S+\\.md) and follow it exactly',
  folder: 'Work in {2}(/\\S+)',
  output: 'Write your report into (\\S+)\\.\\s',
  first: 'First: +(cleo focus set T\\d+ --as T\\d+\\.\\d+)',
  finish: 'Last: +(cleo finish T\\d+ --as T\\d+\\.\\d+)',
  trailer: 'trailer `(Task: T\\d+)`',
  line: '(\\w+ complete\\. See MANIFEST\\.jsonl for summary\\.)',
}

export const sum = 'module.exports = (a, b) => a + b\n'
const sumTest =
  "const sum = require('./sum')\nif (sum(1, 2) !== 3 || sum(-1, 1) !== 0) { console.error('wrong'); process.exit(1) }\n"
const report =
  '# Fix sum\n\n**Task**: T002\n**Epic**: T001\n**Status**: complete\n\n## Summary\n\nsum subtracted; it adds now.\n\n## Content\n\nsum.js, and a second case in sum.test.js.\n\n## References\n\n- sum.js\n'

/** Reads the prompt and does the work, but submits nothing. */
const work: readonly Step[] = [
  { read: '${prompt}' },
  { shell: '${first}', needs: ['Return exactly one of'] },
  { read: '${folder}/sum.js' },
  { write: { file: '${folder}/sum.js', text: sum } },
  { read: '${folder}/sum.test.js' },
  { write: { file: '${folder}/sum.test.js', text: sumTest } },
]

/** Commits, writes the output file and finishes. */
const deliver: readonly Step[] = [
  { shell: 'git -C ${folder} add sum.js sum.test.js' },
  { shell: 'git -C ${folder} commit -qm "Fix sum" -m "${trailer}"' },
  { read: '${folder}/${output}' },
  { write: { file: '${folder}/${output}', text: report } },
  { shell: '${finish} --finding "sum subtracted; it adds now." --criterion 1=files:sum.js,sum.test.js' },
]

/** A subagent that does what its prompt says. */
export const honest = (prompt: string): Agent => ({
  when: prompt,
  hears: fromPrompt,
  steps: [...work, ...deliver, { say: '${line}', needs: ['T002 done|T002 is done|submitted'] }],
})

/** Tries everything, is always denied, and claims success. */
export const vain = (line: string): Step[] => [
  { read: '${prompt}', ifOffered: true },
  { shell: 'cleo focus set T002 --as T002.1', ifOffered: true },
  { write: { file: 'sum.js', text: sum }, ifOffered: true },
  { shell: 'cleo finish T002 --as T002.1 --finding "It adds now."', ifOffered: true },
  { say: line },
]

export const line = 'Implementation complete. See MANIFEST.jsonl for summary.'

/** A subagent that returns before it has submitted, is sent back with a reason, and complies. */
export const lazy = (prompt: string, reason: string): Agent =>
  subagent(prompt, [
    ...work,
    { say: line },
    { ...deliver[0]!, needs: [reason] },
    ...deliver.slice(1),
    { say: line },
  ])

/** A subagent that returns at once without a tool call, is sent back with a reason, and complies. */
export const silent = (prompt: string, reason: string): Agent =>
  subagent(prompt, [
    { say: line },
    { ...work[0]!, needs: [reason] },
    ...work.slice(1),
    ...deliver,
    { say: line },
  ])

/** A subagent with the given steps. The steps can use what the prompt says. */
export const subagent = (prompt: string, steps: readonly Step[]): Agent => ({
  when: prompt,
  hears: fromPrompt,
  steps: [...steps],
})

/**
 * An orchestrator that spawns one task, starts a subagent for it and passes the subagent's reply to `cleo receive`.
 */
export const orchestrator = (when: string, spawn: string, client: ClientName): Agent => ({
  when,
  hears: { prompt: fromPrompt.prompt, line: fromPrompt.line },
  steps: [
    { shell: spawn },
    { agent: { type: 'cleo-subagent', prompt: 'Read ${prompt} and follow it exactly.' } },
    { wait: true, until: ['Implementation complete\\. See MANIFEST'] },
    {
      shell:
        // Qwen's rule for `cleo` does not allow a here-document.
        client === 'qwen'
          ? 'cleo receive T002 --message "${line}"'
          : // The whole reply, with all that the client put around the return line.
            "cleo receive T002 --message - <<'RETURNED'\n${last}\nRETURNED",
    },
    { say: 'T002 is received.' },
  ],
})
