import { type Problems, problemSentence, refusal } from './refusal.ts'

/** Refusals about agent clients, such as Claude Code and Codex, and their files. */
export const clients = () => ({
  'client.none': refusal<{ names: readonly string[] }>({
    exit: 70,
    message: ({ names }) => `No agent client was found on PATH: ${names.join(', ')}.`,
    fix: ({ names }) => `cleo setup ${names[0]}`,
    alternatives: () => ['Name the client that you use; it may be installed later.'],
  }),
  'client.files': refusal<Problems & { title: string; written: readonly string[] }>({
    exit: 3,
    message: ({ title, written, problems }) =>
      `Nothing was written for ${title}${problems.length === 1 ? `: ${problemSentence(problems[0]!)}` : ''}.${written.length > 0 ? ` Written: ${written.join(', ')}.` : ''}`,
    alternatives: () => ['Correct it by hand, and run the command again.'],
  }),
  'client.unconfirmed': refusal<{ files: number; line: string }>({
    exit: 2,
    message: ({ files }) =>
      `Nothing was written: there is no terminal on which to ask about ${files} ${files === 1 ? 'file' : 'files'}.`,
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
