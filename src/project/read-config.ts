import { Config } from '../kernel/config.ts'
import { readAs } from './read-user-config.ts'

export const readConfig = (path: string, text: string): Config => readAs(Config, path, text)
