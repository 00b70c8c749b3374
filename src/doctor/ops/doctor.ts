import * as v from 'valibot'
import { refuseSuperseded } from '../../claims/fence.ts'
import { type Failure, fail, ok } from '../../kernel/result.ts'
import type { Style } from '../../kernel/style.ts'
import { describe } from '../../kernel/text.ts'
import { operation } from '../../operation/operation.ts'
import { checks } from '../all-checks.ts'
import { fixCommand, toProblem } from '../doctor-finding.ts'
import { type Examination, examine } from '../examine.ts'
import { openProject } from '../examined-project.ts'
import { fix as fixAll } from '../fix.ts'

const codes = {
  damage: 'doctor.damage',
  config: 'doctor.config',
  file: 'doctor.file',
  state: 'doctor.state',
} as const
type DoctorCode = (typeof codes)[keyof typeof codes]

const answer = () =>
  v.object({
    /** How many checks ran. */
    checked: v.number(),
    fixed: v.array(v.object({ check: v.string(), what: v.string() })),
    backup: v.optional(v.string()),
  })
type DoctorAnswer = v.InferOutput<ReturnType<typeof answer>>

export const doctor = operation({
  name: 'admin.doctor',
  kind: 'mutate',
  tier: 2,
  summary: 'Find problems in this project; with --fix, fix them without losing data.',
  input: v.strictObject({
    fix: v.optional(
      describe(
        v.boolean(),
        'back up the database, then fix every problem that can be fixed without losing data',
      ),
      false,
    ),
  }),
  output: answer,
  errors: ['project.missing', ...Object.values(codes)],
  needs: 'world',
  cli: {
    command: 'doctor',
    suggestedFor: ['health', 'repair', 'diagnose', 'fsck'],
    examples: ['cleo doctor', 'cleo doctor --fix', 'cleo doctor --fix --dry-run'],
  },
  human: (data, style) => draw(data, style),
  async run({ fix }, world) {
    const project = await openProject(world)
    try {
      const first = await examine(project)
      if (!fix || !first.findings.some(({ fixable }) => fixable)) return report(first, { fixed: [] })
      if (project.context) await refuseSuperseded(project.context.store, project.actor.id)
      const { left, fixed, backup } = await fixAll(project, first)
      return report(left, {
        fixed: fixed.map(({ check, what }) => ({ check, what })),
        ...(backup && { backup }),
      })
    } finally {
      await project.context?.store.close()
    }
  },
})

/** The most serious finding decides the exit code. */
const report = (
  { findings, skipped }: Examination,
  done: Omit<DoctorAnswer, 'checked'>,
): ReturnType<typeof ok<DoctorAnswer>> | Failure<DoctorCode> => {
  const [gravest] = findings
  if (!gravest) return ok({ checked: checks.length - skipped.length, ...done })
  return fail(codes[gravest.kind], {
    problems: findings.map(toProblem),
    fixed: done.fixed.map(({ check }) => check),
    skipped,
    ...(findings.some(({ fixable }) => fixable) && { fix: fixCommand }),
  })
}

const draw = ({ checked, fixed, backup }: DoctorAnswer, style: Style): string[] => [
  ...fixed.map(({ check, what }) => `${style.green('fixed')} ${check}: ${what}`),
  ...(backup ? [`  backup from before the fixes: ${backup}`] : []),
  fixed.length === 0
    ? `${style.green('Healthy')}: ${checked} checks, no problems.`
    : `${checked} checks, no problems left.`,
]
