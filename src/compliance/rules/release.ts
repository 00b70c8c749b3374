import { isHeld } from '../../standing/missing-requirements.ts'
import { shortSha } from './commits.ts'
import type { Release, RuleFacts } from './rule-facts.ts'
import {
  agentType,
  commitFix,
  fail,
  lastEntry,
  notApplicable,
  pass,
  passUnless,
  type Rule,
  type Rules,
  type Ruling,
  reviseFix,
  workRule,
} from './ruling.ts'
import { isSemantic, versionsIn } from './versions.ts'

/** If no file has a version, the rule does not apply, because RLSE-001 already fails. */
const versionRule = (judge: (version: string, release: Release, facts: RuleFacts) => Ruling): Rule =>
  workRule((_, facts) => {
    const { release } = facts
    const version = release && versionOf(release)
    return version === undefined ? notApplicable('no file has a version') : judge(version, release!, facts)
  })

const versionOf = ({ written, changelog }: Release): string | undefined =>
  written[0]?.version ?? (changelog && versionsIn(changelog.text)[0]?.version)

const isTagOf = (name: string, version: string): boolean =>
  name === `v${version}` || name === version || name.endsWith(`@${version}`)

const tagOf = ({ tags }: Release, version: string) => tags.find(({ name }) => isTagOf(name, version))

/** Returns the version in the title of the task, as in `Release 1.2.0`. */
const askedVersion = ({ title }: RuleFacts['task']): string | undefined =>
  /\bv?(\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]*[0-9A-Za-z])?)(?![\w.])/.exec(title)?.[1]

export const release: Rules = {
  'RLSE-001': workRule((_, facts) => {
    const { release } = facts
    const version = release && versionOf(release)
    const fix = commitFix(facts, 'Set the version', [release?.written[0]?.file ?? 'VERSION'])
    if (version === undefined) return fail('no file has a version', fix)
    return isSemantic(version) ? pass(version) : fail(`${version} is not a semantic version`, fix)
  }),

  'RLSE-002': versionRule((version, { changelog }, facts) => {
    const wanted = askedVersion(facts.task) ?? version
    const fix = commitFix(facts, `Describe ${wanted}`, [changelog?.file ?? 'CHANGELOG.md'])
    if (!changelog) return fail('there is no changelog', fix)
    const entry = versionsIn(changelog.text).find((each) => each.version === version)
    if (!entry) return fail(`${changelog.file} has no entry for ${version}`, fix)
    return entry.filled
      ? pass(`${changelog.file} has ${version}`)
      : fail(`${changelog.file} has an empty entry for ${version}`, fix)
  }),

  'RLSE-003': workRule((entry, { gates, release, task }) => {
    if (entry.status !== 'complete') return notApplicable(`the entry says ${entry.status}`)
    const version = release && versionOf(release)
    const tag = version === undefined ? undefined : tagOf(release!, version)
    const required = gates.filter(({ required }) => required)
    const unmet = required.filter((gate) => !isHeld(gate)).map(({ gate, state }) => `${gate} is ${state}`)
    const elsewhere = (release?.provedAt ?? [])
      .filter(({ head }) => tag && head !== tag.sha && !task.landed)
      .map(({ gate, head }) => `${gate} was proved at ${shortSha(head)}, the tag is at ${shortSha(tag!.sha)}`)
    return passUnless(
      [...unmet, ...elsewhere],
      `${required.map(({ gate }) => gate).join(', ') || 'no gate'} at ${tag ? shortSha(tag.sha) : 'no tag'}`,
      `cleo verify ${task.id}`,
    )
  }),

  'RLSE-004': versionRule((version, release, facts) => {
    const tag = tagOf(release, version)
    const named = lastEntry(facts)?.body['tag']
    const fix = reviseFix(facts, ` --tag v${askedVersion(facts.task) ?? version}`)
    if (tag)
      return tag.reachable
        ? pass(`${tag.name} at ${shortSha(tag.sha)}`)
        : fail(`${tag.name} is at ${shortSha(tag.sha)}, which is not part of this history`)
    if (typeof named !== 'string') return fail(`there is no tag v${version}, and the entry names none`, fix)
    return isTagOf(named, version)
      ? pass(`${named}, to be created when the work is merged`)
      : fail(`the entry names the tag ${named}, but the version is ${version}`, fix)
  }),

  'RLSE-006': versionRule((version, { written, changelog }, facts) => {
    const top = changelog && versionsIn(changelog.text)[0]
    const asked = askedVersion(facts.task)
    const all = [...written, ...(top ? [{ file: changelog.file, version: top.version }] : [])]
    const other = all.filter((each) => each.version !== version)
    const isOther = asked !== undefined && asked !== version
    return passUnless(
      [
        ...(isOther ? [`the task says ${asked}, ${all[0]!.file} says ${version}`] : []),
        ...other.map((each) => `${each.file} says ${each.version}, not ${version}`),
      ],
      `${version} in ${all.map(({ file }) => file).join(', ')}`,
      commitFix(facts, `Set the version to ${asked ?? version}`, [
        ...new Set((isOther ? all : other).map(({ file }) => file)),
      ]),
    )
  }),

  'RLSE-007': agentType('release'),
}
