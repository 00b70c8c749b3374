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
  input: v.strictObject({ shell: describe(v.picklist(shells), 'shell to print the script for') }),
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
  async run({ shell }) {
    // Imported here and not at the top, because the table is generated from all operations, including this one.
    const { allCommands, allNames } = await import('../../operation/commands.ts')
    const { placesToComplete, withOtherNames } = await import('../shell-completion-data.ts')
    const { clientCommands } = await import('../client-commands.ts')
    const { allSettings } = await import('../../config/setting-keys.ts')
    const places = placesToComplete(
      [...withOtherNames(allCommands(), allNames()), ...Object.values(clientCommands)],
      [...allSettings().keys()],
    )
    if (shell === 'fish')
      return ok({ shell, script: (await import('../shell-completion-fish.ts')).fish(places) })
    const { bash, zsh } = await import('../shell-completion-bash-zsh.ts')
    return ok({ shell, script: shell === 'bash' ? bash(places) : zsh(places) })
  },
})
