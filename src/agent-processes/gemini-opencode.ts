import type { Host } from '../host/host.ts'
import type { AgentSettings, AgentTask } from './agent.ts'
import { allowedCommands } from './allowed-commands.ts'

/**
 * Returns the arguments that start Gemini CLI without a person to answer its questions. The agent may edit files,
 * and run the commands that a policy file allows.
 */
export const geminiArguments = (
  { files }: Host,
  { projectRoot, run }: AgentTask,
  { model, allowed }: AgentSettings,
): string[] => {
  const policy = `${projectRoot}/.cleo/runs/${run}/gemini-policy.toml`
  const text = policyText(allowedCommands(allowed))
  if (files.kind(policy) !== 'file' || files.read(policy) !== text) files.replace(policy, text, 0o600)
  return [
    ...['-o', 'stream-json', '--approval-mode', 'auto_edit', `--policy=${policy}`],
    `--include-directories=${projectRoot}/.cleo/spawns`,
    ...(model === undefined ? [] : [`--model=${model}`]),
  ]
}

const policyText = (commands: readonly string[]): string => `# What an agent of a run may do without a person.
[[rule]]
toolName = "run_shell_command"
commandPrefix = ${JSON.stringify(commands)}
decision = "allow"
priority = 200
`

/**
 * Returns the variables that start OpenCode without a person to answer its questions. The agent may edit files in
 * its folder, read prompts, and run the allowed commands.
 */
export const openCodeVariables = (
  projectRoot: string,
  { allowed }: AgentSettings,
): Record<string, string> => ({
  OPENCODE_DISABLE_AUTOUPDATE: '1',
  OPENCODE_PERMISSION: JSON.stringify({
    edit: 'allow',
    bash: {
      '*': 'deny',
      ...Object.fromEntries(
        allowedCommands(allowed).flatMap((start) => [
          [start, 'allow'],
          [`${start} *`, 'allow'],
        ]),
      ),
    },
    webfetch: 'deny',
    external_directory: { '*': 'deny', [`${projectRoot}/.cleo/spawns/*`]: 'allow' },
  }),
})
