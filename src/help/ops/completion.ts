import * as v from 'valibot'
import { ok } from '../../kernel/result.ts'
import { describe } from '../../kernel/text.ts'
import { operation } from '../../operation/operation.ts'

const shells = ['bash', 'zsh', 'fish'] as const

export const completion = operation({
  name: 'admin.completion',
  kind: 'query',
  tier: 2,
  summary: 'Print a shell script that completes commands, flags, choices and ids.',
  input: v.strictObject({
    shell: describe(v.picklist(shells), 'shell to print the script for: bash, zsh or fish'),
  }),
  output: () => v.object({ shell: v.picklist(shells), script: v.string() }),
  errors: [],
  needs: 'world',
  cli: {
    command: 'completion',
    positional: ['shell'],
    examples: ['cleo completion bash', 'cleo completion fish'],
    document: ({ script }) => script,
  },
  human: ({ script }) => [script],
  run: async ({ shell }) => ok({ shell, script: await scriptFor(shell) }),
})

const scriptFor = async (shell: (typeof shells)[number]): Promise<string> => {
  if (shell === 'bash') return (await import('../generated/completion-bash.ts')).script
  if (shell === 'zsh') return (await import('../generated/completion-zsh.ts')).script
  return (await import('../generated/completion-fish.ts')).script
}
