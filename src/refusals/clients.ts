import { type Problem, type Problems, problemSentence, refusal } from './refusal.ts'

export const clients = () => ({
  'client.none': refusal<{ names: readonly string[] }>({
    exit: 70,
    message: ({ names }) => `None of these agent clients is on PATH: ${names.join(', ')}.`,
    fix: ({ names }) => `cleo setup ${names[0]}`,
    alternatives: () => ['If you use another client, name that one. You can install it later.'],
  }),
  'client.files': refusal<Problems & { title: string; written: readonly string[] }>({
    exit: 3,
    message: ({ title, written, problems }) =>
      `Nothing was written for ${title}${problems.length === 1 ? `: ${fileProblem(problems[0]!)}` : ''}.${written.length > 0 ? ` The files of ${written.join(', ')} were written.` : ''}`,
    alternatives: () => ['Correct this by hand, then run the same command again.'],
  }),
  /** A person must confirm a change of files or a prompt to the client. `files` is 0 for a prompt. */
  'client.unconfirmed': refusal<{ files: number; line: string }>({
    exit: 2,
    message: ({ files }) =>
      files === 0
        ? 'No prompt was sent to the client: CLEO has to ask first, but has no terminal.'
        : `Nothing was written: without a terminal, CLEO cannot ask whether to change ${files} ${files === 1 ? 'file' : 'files'}.`,
    fix: ({ line }) => line,
  }),
  'client.unready': refusal<Problems & { title: string }>({
    exit: 71,
    message: ({ title, problems }) =>
      problems.length === 1
        ? `${title} cannot work with CLEO yet: ${problemSentence(problems[0]!)}.`
        : `${title} cannot work with CLEO yet.`,
    fix: ({ problems }) => (problems.length === 1 ? problems[0]!.fix : undefined),
  }),
})

/**
 * Most messages about files continue a sentence that begins with the path, as in `settings.json is read-only`. Messages
 * of the system are whole sentences.
 */
const fileProblem = (problem: Problem): string =>
  /^[a-z]/.test(problem.message) ? `${problem.path} ${problem.message}` : problemSentence(problem)
