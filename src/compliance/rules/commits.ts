import { isHeld } from '../../standing/missing-requirements.ts'
import type { Commit, RuleFacts } from './rule-facts.ts'
import { count, fail, notApplicable, pass, passUnless, type Rule, type Ruling, workRule } from './ruling.ts'

/** Merge commits are not checked. */
export const commitsRule = (judge: (commits: readonly Commit[], facts: RuleFacts) => Ruling): Rule =>
  workRule((entry, facts) => {
    if (!facts.git) return notApplicable('there is no git repository')
    const commits = facts.git.commits.filter(({ merge }) => !merge)
    if (commits.length > 0) return judge(commits, facts)
    const isMissing = facts.gates.some(
      (each) => each.gate === 'implemented' && each.required && !isHeld(each),
    )
    return isMissing && entry.status === 'complete'
      ? fail(`${facts.spawn} made no commit`, `cleo verify ${facts.task.id}`)
      : notApplicable(`${facts.spawn} changed nothing`)
  })

/**
 * Every commit must be traceable to its task. A commit is traceable in three cases:
 * - It is on the spawn's own branch.
 * - It has the trailer `Task: T012`.
 * - Another commit has this trailer, and the message of the other commit contains the hash of this commit.
 */
export const everyCommitIsTraceable = commitsRule((commits, { task, spawn, git }) => {
  if (git!.isOwn) return pass(`${count(commits.length, 'commit')} on the branch of ${spawn}`)
  const named = commits.filter(({ message }) => tasksOf(message).includes(task.id))
  const untraced = commits.filter(
    (commit) =>
      !named.includes(commit) && !named.some(({ message }) => message.includes(shortSha(commit.sha))),
  )
  return passUnless(
    untraced.map(({ sha }) => `commit ${shortSha(sha)} has no trailer "Task: ${task.id}"`),
    `${count(commits.length, 'commit')} with Task: ${task.id}`,
    traceLine(git!, task.id, untraced),
  )
})

/**
 * Returns a command that makes an empty commit. The message of this commit lists all commits that have no trailer. The
 * command does not amend the listed commits, because other agents may already have built on them.
 */
const traceLine = (
  { command, earlier }: NonNullable<RuleFacts['git']>,
  task: string,
  untraced: readonly Commit[],
): string => {
  const subject = `${conventionOf(earlier) === 'conventional' ? 'chore: trace' : 'Trace'} commits to ${task}`
  const shas = untraced.map(({ sha }) => shortSha(sha)).join(' ')
  return `${command} commit --allow-empty -m "${subject}" -m "Commits: ${shas}" -m "Task: ${task}"`
}

export const shortSha = (sha: string): string => sha.slice(0, 7)

/** Returns the tasks in the trailers of a commit message: the `Task: T012` lines of its last paragraph. */
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

export const conventionOf = (earlier: readonly string[]): 'conventional' | 'plain' => {
  const typed = earlier.filter(isTyped).length
  return earlier.length > 0 && typed * 2 > earlier.length ? 'conventional' : 'plain'
}

export const breachOf = ({ message }: Commit, convention: 'conventional' | 'plain'): string | undefined => {
  const [subject = '', second = ''] = message.split('\n')
  if (subject.trim() === '') return 'has no subject'
  if (second.trim() !== '') return 'has no blank line after its subject'
  if (subject.length > longest) return `has a subject of ${subject.length} characters`
  return convention === 'conventional' && !isTyped(subject)
    ? 'has a subject without a type, unlike most earlier commits'
    : undefined
}

const longest = 72

/** Whether a subject begins with a type, such as `fix(cart): count twice`; see conventionalcommits.org. */
const isTyped = (subject: string): boolean => /^[a-z]+(?:\([^()\n]{1,60}\))?!?: \S/.test(subject)
