import * as v from 'valibot'
import { fail, ok } from '../../kernel/result.ts'
import { describe } from '../../kernel/text.ts'
import { operation } from '../../operation/operation.ts'
import { actingConfig } from '../../project/settings.ts'
import { record } from '../../project/trust-records.ts'
import { auditTrust } from '../audit-trust.ts'
import { digestOf, drawTrustItems, findTrustables, trustItem, withTrustState } from '../trust-items.ts'

export const trust = operation({
  name: 'admin.trust',
  kind: 'mutate',
  tier: 2,
  summary: 'List the items of this project that need your trust; with --yes, trust them.',
  input: v.strictObject({
    yes: v.optional(
      describe(v.boolean(), 'trust all listed items; without --yes the command only lists them'),
    ),
    digest: v.optional(
      describe(
        v.pipe(v.string(), v.regex(/^[0-9a-f]{16}$/, 'must be the digest that cleo trust printed')),
        'the digest that cleo trust printed; refused if an item has changed since',
      ),
    ),
  }),
  output: () => v.object({ items: v.array(trustItem()), digest: v.string(), recorded: v.boolean() }),
  errors: ['input.invalid', 'trust.changed'],
  needs: 'project',
  personOnly: true,
  cli: {
    command: 'trust',
    suggestedFor: ['allow'],
    positional: ['digest'],
    examples: ['cleo trust', 'cleo trust --yes 3f9a0c1d2b4e5f60', 'cleo trust --yes'],
  },
  human: ({ items, digest, recorded }, style) => [
    ...drawTrustItems(items, style),
    ...(items.some(({ state }) => state !== 'trusted') && !recorded
      ? [`  to trust these items: cleo trust --yes ${digest}`]
      : []),
  ],
  async run({ yes, digest: shown }, project) {
    if (shown !== undefined && !yes)
      return fail('input.invalid', {
        problems: [{ path: 'digest', message: 'needs --yes', fix: `cleo trust --yes ${shown}` }],
      })
    const recorded = yes === true && !project.dryRun
    const items = await findTrustables(project)
    const digest = digestOf(items)
    if (shown !== undefined && shown !== digest) return fail('trust.changed', {})
    if (!recorded) return ok({ items: withTrustState(project, items), digest, recorded })
    const change = await record(project, items)
    // Read the settings again, because this command might have trusted the address of the database.
    const warnings = await auditTrust({ ...project, config: actingConfig(project) }, 'admin.trust', change)
    return ok({ items: withTrustState(project, items), digest, recorded }, { warnings })
  },
})
