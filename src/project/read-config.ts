import { Config } from '../kernel/config.ts'
import { readAs } from './read-user-config.ts'

/** Returns the configuration. Refuses an invalid one with all its problems. */
export const readConfig = (path: string, text: string): Config => readAs(Config, path, text)
