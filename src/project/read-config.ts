import { Config } from '../kernel/config.ts'
import { readAs } from './read-user-config.ts'

/** Returns the configuration. If it is invalid, throws a refusal that lists all problems. */
export const readConfig = (path: string, text: string): Config => readAs(Config, path, text)
