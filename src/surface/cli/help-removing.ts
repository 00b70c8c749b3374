import type { Host } from '../../host/host.ts'
import { stateFolder, trustRecordsPath } from '../../host/user-folders.ts'
import type { Style } from '../../kernel/style.ts'
import { findProject } from '../../project/find-project.ts'
import { outerProjectAt } from '../../project/lost-project.ts'
import { explained, paragraph } from './help.ts'

/**
 * Explains how to remove CLEO from a project: `cleo help removing`. Prints no command that deletes anything, because
 * the tasks, and work that was never merged, exist nowhere else.
 */
export const removingHelp = async (host: Host, style: Style): Promise<string[]> => {
  const { root, found } = await findProject(host)
  const project = found ? outerProjectAt(host, root) : undefined
  const state = project?.folder ?? `${stateFolder(host) ?? '~/.local/state/cleo'}/<id of the project>`
  const at = (path: string) => (found ? `${root}/${path}` : path)
  const steps: [string, string][] = [
    ['cleo run stop', 'stops a run; cleo board shows agents that you started yourself'],
    ['cleo land T001', 'for each epic: brings its work into your branch; cleo status names what is left'],
    ['cleo export', 'prints all tasks; keep it in a file if you may want them again'],
    [
      'cleo setup --undo',
      "takes CLEO's entries out of the files of your agent clients; with --user, out of your home",
    ],
    ['cleo worktree prune', 'removes worktrees that no task needs; cleo worktree list shows the others'],
  ]
  const places: [string, string][] = [
    [
      at('.cleo/'),
      'the tasks, settings and prompts of the project; with PostgreSQL, the tasks are in that database',
    ],
    [at('claudedocs/'), 'what agents found and wrote; it may be in git, and you may want to keep it'],
    [`${state}/`, 'worktrees and backups; as long as it is there, cleo init --restore brings the tasks back'],
    [
      'branches cleo/*',
      "work of agents; git branch --list 'cleo/*' shows them, --no-merged those whose work is only there",
    ],
    ['refs/cleo/*', 'commits of removed worktrees; git for-each-ref refs/cleo shows them'],
    [trustRecordsPath(host), 'what you trusted, for all projects'],
  ]
  return [
    style.bold('Removing CLEO from a project'),
    ...paragraph('No command does this at once. First, in the project:', style),
    ...explained(steps, style),
    '',
    ...paragraph('Then this is left. Look at each, and delete by hand what you do not need:', style),
    ...explained(places, style),
    '',
    ...paragraph(
      'The program itself goes the way it came: with your package manager, or by deleting the executable cleo.',
      style,
    ),
  ]
}
