import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { modelUrl } from './closed-network.ts'
import type { ClientName } from './fetched.ts'
import { programs } from './programs.ts'

/** The clients that CLEO starts itself. */
export type StartedClient = Extract<ClientName, 'claude' | 'codex' | 'gemini' | 'opencode'>

/**
 * Makes a client use the scripted model, through variables and files of the client. Its arguments come from CLEO.
 */
export const pointToModel = (name: StartedClient, home: string): Record<string, string> => {
  const { env } = programs[name]({ home, cwd: home }, {})
  if (name === 'opencode') return { ...env, OPENCODE_CONFIG_CONTENT: withoutPermissions(env) }
  if (name !== 'codex') return env
  const file = join(home, '.codex', 'config.toml')
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, codexSettings)
  return { OPENAI_API_KEY: 'scripted' }
}

// The sandbox must not allow writing to the temporary folder. Otherwise a test in that folder would prove nothing
// about the sandbox.
const codexSettings = `model = "scripted"
model_provider = "scripted"
analytics.enabled = false
sandbox_workspace_write.exclude_slash_tmp = true
sandbox_workspace_write.exclude_tmpdir_env_var = true
[model_providers.scripted]
name = "scripted"
base_url = "${modelUrl}/v1"
env_key = "OPENAI_API_KEY"
wire_api = "responses"
`

const withoutPermissions = ({ OPENCODE_CONFIG_CONTENT = '{}' }: Record<string, string>): string => {
  const { permission: _, ...config } = JSON.parse(OPENCODE_CONFIG_CONTENT)
  return JSON.stringify(config)
}
