import { detectCommands, tellingFiles } from '../../contract/detect-commands.ts'
import { type Commands, toolNames } from '../../model/config-words.ts'
import type { Project } from '../context.ts'
import { stateOf, trustables } from '../trust-records.ts'

export interface OwnCommands {
  commands: Commands
  warnings: string[]
}

/**
 * How this project is tested and built: what the configuration says, else what its build files tell. Configured words
 * reach an agent once a person has trusted them; until then the tool counts as missing.
 */
export const ownCommands = async (project: Project, folder: string): Promise<OwnCommands> => {
  const detected = await detectIn(project, folder)
  if (!project.config.commands) return { commands: detected, warnings: [] }
  const state = stateOf(project)
  const commands: Commands = { ...detected }
  const warnings: string[] = []
  for (const item of trustables(project)) {
    const tool = toolNames.find((name) => item.kind === 'command' && item.name === name)
    if (!tool) continue
    const trusted = state(item) === 'trusted'
    commands[tool] = trusted ? project.config.commands[tool] : undefined
    if (!trusted) warnings.push(`the command for ${tool} is not trusted and is left out; see: cleo trust`)
  }
  return { commands, warnings }
}

const detectIn = async ({ host }: Project, folder: string): Promise<Commands> => {
  const names = host.files.list(folder)
  const texts = new Map<string, string>()
  for (const name of tellingFiles) {
    if (!names.includes(name) || host.files.kind(`${folder}/${name}`) !== 'file') continue
    const text = await host.files.load(`${folder}/${name}`)
    if (text !== undefined) texts.set(name, text)
  }
  return detectCommands((name) => texts.get(name), names)
}
