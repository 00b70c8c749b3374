import { checkInput } from '../kernel/check-input.ts'
import { Config } from '../kernel/config.ts'
import { refuse } from '../kernel/result.ts'

/** Returns the configuration, or refuses with all its problems. */
export const readConfig = (path: string, text: string): Config => {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    return refuse('config.invalid', { path, problems: [{ path: '', message: 'is not valid JSON' }] })
  }
  const checked = checkInput(Config, json)
  return checked.ok ? checked.value : refuse('config.invalid', { path, problems: checked.problems })
}
