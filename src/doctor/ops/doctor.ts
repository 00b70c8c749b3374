import * as v from 'valibot'
import { type Failure, fail, ok } from '../../kernel/result.ts'
import type { Style } from '../../kernel/style.ts'
import { describe } from '../../kernel/text.ts'
import { operation } from '../../operation/operation.ts'
import { refuseSuperseded } from '../../operation/write.ts'
import { checks } from '../checks.ts'
import { type Examined, examine } from '../examine.ts'
import { complaint, type Found, mendFix } from '../finding.ts'
import { mend } from '../mend.ts'
import { openPatient, type Patient } from '../patient.ts'

const codes = {
  damage: 'doctor.damage',
  config: 'doctor.config',
  file: 'doctor.file',
  state: 'doctor.state',
} as const
type Code = (typeof codes)[keyof typeof codes]

const answer = () =>
  v.object({
    /** How many questions were asked. */
    checked: v.number(),
    mended: v.array(v.object({ check: v.string(), what: v.string() })),
    backup: v.optional(v.string()),
  })
type Answer = v.InferOutput<ReturnType<typeof answer>>

export const doctor = operation({
  name: 'admin.doctor',
  kind: 'mutate',
  tier: 2,
  summary: 'Find what is wrong with this project, say why it matters, and mend what can be mended.',
  input: v.strictObject({
    fix: v.optional(
      describe(v.boolean(), 'mend what cannot lose anything; what it changes is saved first'),
      false,
    ),
  }),
  output: answer,
  errors: ['project.missing', ...Object.values(codes)],
  needs: 'world',
  cli: { command: 'doctor', examples: ['cleo doctor', 'cleo doctor --fix', 'cleo doctor --fix --dry-run'] },
  human: (data, style) => draw(data, style),
  async run({ fix }, world) {
    const patient = await openPatient(world)
    try {
      const first = await examine(patient)
      if (!fix || !first.found.some(({ mendable }) => mendable)) return told(first, { mended: [] })
      if (patient.context) await refuseSuperseded(patient.context.store, patient.actor.id)
      const { left, mended, backup } = await mendAll(patient, first)
      return told(left, {
        mended: mended.map(({ check, what }) => ({ check, what })),
        ...(backup && { backup }),
      })
    } finally {
      await patient.context?.store.close()
    }
  },
})

/** What is mended may bring more to light: a database that was brought up to date can be looked at. */
const mostRounds = 3

const mendAll = async (patient: Patient, first: Examined) => {
  if (patient.dryRun) {
    await mend(patient, first.found)
    const [mended, found] = parted(first.found, ({ mendable }) => mendable)
    return { left: { ...first, found }, mended }
  }
  const mended: Found[] = []
  let left = first
  let backup: string | undefined
  for (let round = 0; round < mostRounds && left.found.some(({ mendable }) => mendable); round++) {
    const done = await mend(patient, left.found, backup)
    backup = done.backup
    const next = await examine(patient)
    mended.push(...left.found.filter((found) => found.mendable && !next.found.some(sameAs(found))))
    left = { ...next, found: next.found.map((found) => explained(found, done.failed)) }
  }
  return { left, mended, backup }
}

const parted = <T>(items: readonly T[], is: (item: T) => boolean): [T[], T[]] => [
  items.filter(is),
  items.filter((item) => !is(item)),
]

const sameAs =
  ({ check, what }: Found) =>
  (other: Found): boolean =>
    other.check === check && other.what === what

/** What could not be mended is not sent to `--fix` again. */
const explained = (found: Found, failed: ReadonlyMap<string, string>): Found => {
  const reason = found.mendable ? failed.get(found.check) : undefined
  return reason === undefined
    ? found
    : {
        ...found,
        advice: `It could not be mended: ${reason.replace(/\.$/, '')}`,
        fix: undefined,
        mendable: false,
      }
}

/** Nothing left is success; else everything at once, and the gravest decides the exit. */
const told = (
  { found, skipped }: Examined,
  done: Omit<Answer, 'checked'>,
): ReturnType<typeof ok<Answer>> | Failure<Code> => {
  const [gravest] = found
  if (!gravest) return ok({ checked: checks.length - skipped.length, ...done })
  return fail(codes[gravest.kind], {
    problems: found.map(complaint),
    mended: done.mended.map(({ check }) => check),
    skipped: skipped.map(({ check }) => check),
    ...(found.some(({ mendable }) => mendable) && { fix: mendFix }),
  })
}

const draw = ({ checked, mended, backup }: Answer, style: Style): string[] => [
  ...mended.map(({ check, what }) => `${style.green('mended')} ${check}: ${what}`),
  ...(backup ? [`  what was there before: ${backup}`] : []),
  mended.length === 0
    ? `${style.green('Healthy')}: ${checked} checks, nothing wrong.`
    : `${checked} checks, nothing wrong any more.`,
]
