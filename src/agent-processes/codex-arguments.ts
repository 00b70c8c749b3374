import { hookMark } from '../clients/hook-command.ts'
import type { Host } from '../host/host.ts'
import { gitFolders, makeWrittenFolders, portsFolder } from '../worktrees/written-folders.ts'
import type { AgentSettings, AgentTask } from './agent.ts'
import { hooksFor } from './claude-arguments.ts'

/**
 * Returns the arguments that start Codex in its sandbox, without a person to answer its questions. The agent may
 * write in its folder and in `.cleo`, where the database is. It may also write in the parts of `.git` that a commit
 * on its branch changes. Codex must not start a login shell, because a login shell would reset PATH.
 */
export const codexArguments = (
  host: Host,
  { folder, projectRoot, resume }: AgentTask,
  { model, mcp }: AgentSettings,
): string[] => {
  makeWrittenFolders(host, projectRoot)
  const settings: Record<string, string> = {
    allow_login_shell: 'false',
    check_for_update_on_startup: 'false',
    'sandbox_workspace_write.writable_roots': JSON.stringify(writableRoots(host, folder, projectRoot)),
    ...(mcp && { 'mcp_servers.cleo': '{command="cleo",args=["mcp"],default_tools_approval_mode="approve"}' }),
    ...(hasHooks(host, folder) ? {} : hookSettings()),
  }
  return [
    ...['exec', '--json', '--sandbox', 'workspace-write', '--skip-git-repo-check'],
    // Codex skips hooks that a person has not approved in Codex itself. These hooks come from CLEO, so no approval is
    // needed.
    '--dangerously-bypass-hook-trust',
    ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    ...(model === undefined ? [] : [`--model=${model}`]),
    ...(resume === undefined ? [] : ['resume', resume]),
    '-',
  ]
}

const hookSettings = (): Record<string, string> =>
  Object.fromEntries(
    Object.entries(hooksFor('codex')).map(([event, groups]) => [
      `hooks.${event}`,
      `[${groups
        .map(
          ({ hooks }) =>
            `{hooks=[${hooks
              .map(
                ({ type, command, timeout }) =>
                  `{type=${JSON.stringify(type)},command=${JSON.stringify(command)},timeout=${timeout}}`,
              )
              .join(',')}]}`,
        )
        .join(',')}]`,
    ]),
  )

const hasHooks = ({ files }: Host, folder: string): boolean => {
  const path = `${folder}/.codex/hooks.json`
  return files.kind(path) === 'file' && (files.read(path)?.includes(hookMark) ?? false)
}

/**
 * Returns the folders, besides its own folder, to which an agent may write. An agent in a worktree may not write to
 * `.git/config` and `.git/hooks` of the repository, because both can make git start programs.
 */
const writableRoots = (host: Host, folder: string, root: string): string[] => {
  const git = `${root}/.git`
  const own = worktreeFolder(host, folder)
  return [
    `${root}/.cleo`,
    portsFolder(host),
    ...(own === undefined
      ? [git]
      : [
          `${git}/objects`,
          own,
          ...gitFolders.filter((name) => name !== 'worktrees').map((name) => `${git}/${name}`),
        ]),
  ]
}

/**
 * Returns the folder inside `.git` that belongs to a linked worktree; undefined if `folder` is not a linked worktree.
 */
const worktreeFolder = ({ files }: Host, folder: string): string | undefined => {
  const path = `${folder}/.git`
  const text = files.kind(path) === 'file' ? files.read(path) : undefined
  return text === undefined ? undefined : /^gitdir: (\/.*)$/m.exec(text)?.[1]?.trim()
}
