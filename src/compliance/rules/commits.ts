import type { Commit, Observed } from './observed.ts'
import { count, fail, type Judge, na, ofWork, type Ruling, unless } from './ruling.ts'

/** A rule about the commits of the work. A merge is nobody's work. */
export const ofCommits = (judge: (commits: readonly Commit[], seen: Observed) => Ruling): Judge =>
  ofWork((entry, seen) => {
    if (!seen.git) return na('there is no git repository')
    const commits = seen.git.commits.filter(({ merge }) => !merge)
    if (commits.length > 0) return judge(commits, seen)
    const asked = seen.gates.some(({ gate, required }) => gate === 'implemented' && required)
    return asked && entry.status === 'complete'
      ? fail('no commit was given as evidence', `cleo verify ${seen.task.id}`)
      : na('no commit was given as evidence')
  })

/** Every commit ends with `Task: T###`. */
export const traced = ofCommits((commits, { task }) =>
  unless(
    commits.flatMap(({ sha, message }) =>
      tasksOf(message).includes(task.id) ? [] : [`${short(sha)} has no trailer Task: ${task.id}`],
    ),
    `${count(commits.length, 'commit')} with Task: ${task.id}`,
  ),
)

export const short = (sha: string): string => sha.slice(0, 7)

/** The tasks named by trailers: lines of the last paragraph, each `Name: value`. */
const tasksOf = (message: string): string[] => {
  const last = message
    .trim()
    .split(/\n\s*\n/)
    .at(-1)!
  return last.split('\n').flatMap((line) => {
    const value = /^Task:\s*(.+)$/i.exec(line.trim())?.[1]
    return value === undefined ? [] : value.split(/[\s,]+/)
  })
}

/** What a log shows of how subjects are written. */
export const conventionOf = (earlier: readonly string[]): 'conventional' | 'plain' => {
  const typed = earlier.filter(isTyped).length
  return earlier.length > 0 && typed * 2 > earlier.length ? 'conventional' : 'plain'
}

/** What is wrong with how a commit is written. */
export const breachOf = ({ message }: Commit, convention: 'conventional' | 'plain'): string | undefined => {
  const [subject = '', second = ''] = message.split('\n')
  if (subject.trim() === '') return 'has no subject'
  if (second.trim() !== '') return 'has no blank line behind its subject'
  if (subject.length > longest) return `has a subject of ${subject.length} characters`
  return convention === 'conventional' && !isTyped(subject)
    ? 'does not begin with a type, as others do'
    : undefined
}

const longest = 72

/** `fix(cart): count twice`, as conventionalcommits.org has it. */
const isTyped = (subject: string): boolean => /^[a-z]+(?:\([^()\n]{1,60}\))?!?: \S/.test(subject)
