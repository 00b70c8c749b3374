import { isHeld } from '../../evidence/missing-requirements.ts'
import { shortSha } from './commits.ts'
import type { Release } from './rule-facts.ts'
import {
  agentType,
  fail,
  notApplicable,
  pass,
  passUnless,
  type Rule,
  type Rules,
  type Ruling,
  workRule,
} from './ruling.ts'
import { isSemantic, versionsIn } from './versions.ts'

/** A rule about the released version. If no file has a version, only RLSE-001 fails. */
const versionRule = (judge: (version: string, release: Release) => Ruling): Rule =>
  workRule((_, { release }) => {
    const version = release && versionOf(release)
    return version === undefined ? notApplicable('no file has a version') : judge(version, release!)
  })

/** Returns the version in the first version file that has one, else the top version of the changelog. */
const versionOf = ({ written, changelog }: Release): string | undefined =>
  written[0]?.version ?? (changelog && versionsIn(changelog.text)[0]?.version)

const tagOf = ({ tags }: Release, version: string) =>
  tags.find(({ name }) => name === `v${version}` || name === version || name.endsWith(`@${version}`))

export const release: Rules = {
  'RLSE-001': workRule((_, { release }) => {
    const version = release && versionOf(release)
    if (version === undefined) return fail('no file has a version')
    return isSemantic(version) ? pass(version) : fail(`${version} is not a semantic version`)
  }),

  'RLSE-002': versionRule((version, { changelog }) => {
    if (!changelog) return fail('there is no changelog')
    const entry = versionsIn(changelog.text).find((each) => each.version === version)
    if (!entry) return fail(`${changelog.file} has no entry for ${version}`)
    return entry.filled
      ? pass(`${changelog.file} has ${version}`)
      : fail(`${changelog.file} has an empty entry for ${version}`)
  }),

  'RLSE-003': workRule((entry, { gates, release, task }) => {
    if (entry.status !== 'complete') return notApplicable(`the entry says ${entry.status}`)
    const version = release && versionOf(release)
    const tag = version === undefined ? undefined : tagOf(release!, version)
    const required = gates.filter(({ required }) => required)
    const unmet = required.filter((gate) => !isHeld(gate)).map(({ gate, state }) => `${gate} is ${state}`)
    const elsewhere = (release?.provedAt ?? [])
      .filter(({ head }) => tag && head !== tag.sha)
      .map(({ gate, head }) => `${gate} was proved at ${shortSha(head)}, the tag is at ${shortSha(tag!.sha)}`)
    return passUnless(
      [...unmet, ...elsewhere],
      `${required.map(({ gate }) => gate).join(', ') || 'no gate'} at ${tag ? shortSha(tag.sha) : 'no tag'}`,
      `cleo verify ${task.id}`,
    )
  }),

  'RLSE-004': versionRule((version, release) => {
    const tag = tagOf(release, version)
    if (!tag) return fail(`there is no tag v${version}`)
    return tag.reachable
      ? pass(`${tag.name} at ${shortSha(tag.sha)}`)
      : fail(`${tag.name} is at ${shortSha(tag.sha)}, which is not part of this history`)
  }),

  'RLSE-006': versionRule((version, { written, changelog }) => {
    const top = changelog && versionsIn(changelog.text)[0]
    const all = [...written, ...(top ? [{ file: changelog.file, version: top.version }] : [])]
    return passUnless(
      all
        .filter((each) => each.version !== version)
        .map((each) => `${each.file} says ${each.version}, not ${version}`),
      `${version} in ${all.map(({ file }) => file).join(', ')}`,
    )
  }),

  'RLSE-007': agentType('release'),
}
