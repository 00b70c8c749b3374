import type { Files } from '../host/host.ts'
import { isWritable } from '../host/permissions.ts'
import { isBelow, resolvePath } from '../kernel/path.ts'
import type { FileCheck } from './check.ts'
import { type DoctorFinding, manualFinding } from './doctor-finding.ts'
import type { ExaminedProject } from './examined-project.ts'

const defaultOutput = 'claudedocs/agent-outputs'

export const writable: FileCheck = {
  id: 'writable',
  needs: 'files',
  question: 'Can CLEO and its agents write to the database, the output folder and the manifest?',
  find(project) {
    const { host, root, folder, config } = project
    const output = resolvePath(root, config.output?.dir ?? defaultOutput)
    const manifest = resolvePath(
      root,
      config.manifest?.path ?? `${config.output?.dir ?? defaultOutput}/MANIFEST.jsonl`,
    )
    const own = ['', '/cleo.db'].filter(
      (below) => host.files.kind(folder + below) && !isWritable(folder + below),
    )
    return [
      ...own.map((below) =>
        notWritableFinding(
          `.cleo${below}`,
          `.cleo${below} is not writable`,
          'every command that writes fails',
        ),
      ),
      ...outputFaults(project, output, manifest),
    ]
  },
}

/** Checks the output folder and the manifest. Skips a manifest inside the folder if the folder has a fault. */
const outputFaults = (project: ExaminedProject, output: string, manifest: string): DoctorFinding[] => {
  const faults = pathFaults(project, output, 'output', 'folder')
  return faults.length > 0 && isBelow(output, manifest)
    ? faults
    : [...faults, ...pathFaults(project, manifest, 'manifest', 'file')]
}

const pathFaults = (
  { host, root }: ExaminedProject,
  path: string,
  setting: 'output' | 'manifest',
  wanted: 'file' | 'folder',
): DoctorFinding[] => {
  const name = isBelow(root, path) ? path.slice(root.length + 1) : path
  const why = 'agents cannot submit their work'
  const actual = host.files.kind(path)
  const end = nearestExisting(host.files, path)
  if (!isBelow(root, path) || !isBelow(root, `${host.files.realPath(end)}/`))
    return [notWritableFinding(name, `${setting}: ${name} is not inside the project`, why, 'config')]
  if (actual !== undefined && actual !== wanted)
    return [notWritableFinding(name, `${setting}: ${name} is not a ${wanted}`, why)]
  if (actual === undefined && host.files.kind(end) !== 'folder')
    return [notWritableFinding(name, `${setting}: ${name} cannot be created`, why)]
  return isWritable(end) ? [] : [notWritableFinding(name, `${setting}: ${name} is not writable`, why)]
}

/** Returns the path if it exists, otherwise its nearest existing ancestor. */
const nearestExisting = (files: Files, path: string): string => {
  for (let end = path; ; end = end.slice(0, end.lastIndexOf('/')))
    if (end === '' || files.kind(end) !== undefined) return end || '/'
}

const notWritableFinding = (
  where: string,
  what: string,
  why: string,
  kind: DoctorFinding['kind'] = 'file',
): DoctorFinding =>
  manualFinding({
    kind,
    severity: 'error',
    what,
    why,
    where,
    advice:
      kind === 'config'
        ? 'Set a path inside the project in .cleo/config.json'
        : `Check owner and permissions of ${where}`,
  })
