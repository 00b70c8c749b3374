export { put } from '../skills/skill-files.ts'

export const agentText = (name: string, more = ''): string =>
  `---\nname: ${name}\ndescription: What it does.\ntools: Read\n${more}---\nGo.\n`
