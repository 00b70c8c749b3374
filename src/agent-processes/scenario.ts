import * as v from 'valibot'

const text = v.pipe(v.string(), v.maxLength(1_000_000))

/**
 * One thing that a scripted agent does. In its texts, `{{task}}`, `{{spawn}}` and `{{attempt}}` are replaced, for
 * example by T003, T003.1 and 1.
 */
export const Step = v.union([
  v.strictObject({ write: text, text }),
  v.strictObject({ append: text, text }),
  v.strictObject({ replace: text, from: text, text }),
  v.strictObject({ commit: text }),
  /**
   * Runs `cleo` with these words, as the agent. `exit` is the expected exit status, by default 0. After any other
   * status, the agent ends.
   */
  v.strictObject({ cleo: v.array(text), exit: v.optional(v.number()) }),
  /** Fills in the summary of the output file that `cleo focus` made. */
  v.strictObject({ summary: text }),
  v.strictObject({ run: v.array(text) }),
  v.strictObject({ say: text }),
  v.strictObject({ wait: v.number() }),
  /** Waits until a file exists. */
  v.strictObject({ await: text }),
  v.strictObject({ print: v.number() }),
  v.strictObject({ tokens: v.tuple([v.number(), v.number()]), cost: v.optional(v.number()) }),
  v.strictObject({ quota: text, until: v.optional(v.number()) }),
  v.strictObject({ auth: text }),
  v.strictObject({ denied: text }),
  v.strictObject({ hang: v.literal(true) }),
  v.strictObject({ exit: v.number() }),
])
export type Step = v.InferOutput<typeof Step>

/**
 * The steps of agents, by task. Each task has a list of attempts, and each attempt is a list of steps. If a task is
 * spawned again after the last attempt of its list, the agent repeats that attempt. The key `*` is for every task that
 * has no key of its own.
 */
export const Scenario = v.strictObject({
  tasks: v.record(v.string(), v.pipe(v.array(v.array(Step)), v.minLength(1))),
})
export type Scenario = v.InferOutput<typeof Scenario>

export const stepsFor = ({ tasks }: Scenario, task: string, attempt: number): Step[] | undefined => {
  const attempts = Object.hasOwn(tasks, task) ? tasks[task] : tasks['*']
  return attempts?.[Math.min(attempt, attempts.length) - 1]
}
