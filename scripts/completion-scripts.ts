import { allSettings } from '../src/config/setting-keys.ts'
import { clientCommands } from '../src/help/client-commands.ts'
import type { Command } from '../src/operation/command-table.ts'
import { bash, zsh } from './completion-bash-zsh.ts'
import { fish } from './completion-fish.ts'
import { placesToComplete, withOtherNames } from './completion-places.ts'
import { otherNames } from './operations.ts'

/**
 * Returns modules with the scripts that `cleo completion` prints. The key is the path of the module. Making the
 * scripts needs every command and every setting, which takes time. Some shells run `cleo completion` each time they
 * start, and must not have to wait. So `npm run generate` makes the scripts in advance.
 */
export const completionScripts = (header: string, commands: readonly Command[]): Map<string, string> => {
  const places = placesToComplete(
    [...withOtherNames(commands, otherNames(commands)), ...Object.values(clientCommands)],
    [...allSettings().keys()],
  )
  const scripts = { bash: bash(places), zsh: zsh(places), fish: fish(places) }
  return new Map(
    Object.entries(scripts).map(([shell, script]) => [
      `src/help/generated/completion-${shell}.ts`,
      `${header}export const script =\n  ${JSON.stringify(script)}\n`,
    ]),
  )
}
