import { nodeHost } from '../../src/host/node-host.ts'
import { type ProjectFolder, projectFolder } from '../../src/project-commands/project-folder.ts'
import { put } from './subagent.ts'
import { withTemp } from './temp.ts'

/** Runs a test on a real folder with these files. */
export const inLayout = <T>(
  files: Record<string, string>,
  work: (project: ProjectFolder, folder: string) => T | Promise<T>,
  path = process.env['PATH'] ?? '',
): Promise<T> =>
  withTemp(async (folder) => {
    put(folder, files)
    return work(projectFolder({ ...nodeHost(), env: { PATH: path } }, folder), folder)
  })
