import { detectCommands, tellingFiles } from '../../contract/detect-commands.ts'
import type { Commands } from '../../model/config-words.ts'
import type { Project } from '../context.ts'

/** How this project is tested and built: what the configuration says, else what its build files tell. */
export const ownCommands = async ({ host, config }: Project, folder: string): Promise<Commands> => {
  const names = host.files.list(folder)
  const texts = new Map<string, string>()
  for (const name of tellingFiles) {
    if (!names.includes(name) || host.files.kind(`${folder}/${name}`) !== 'file') continue
    const text = await host.files.load(`${folder}/${name}`)
    if (text !== undefined) texts.set(name, text)
  }
  return { ...detectCommands((name) => texts.get(name), names), ...config.commands }
}
