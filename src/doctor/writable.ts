import { isWritable } from '../host/care.ts'
import type { Files } from '../host/host.ts'
import { isBelow, resolvePath } from '../kernel/path.ts'
import type { FileCheck } from './check.ts'
import { type Finding, open } from './finding.ts'
import type { Patient } from './patient.ts'

const usual = 'claudedocs/agent-outputs'

export const writable: FileCheck = {
  id: 'writable',
  needs: 'files',
  asks: 'Can CLEO and its agents write where they must?',
  look(patient) {
    const { host, root, folder, config } = patient
    const output = resolvePath(root, config.output?.dir ?? usual)
    const manifest = resolvePath(
      root,
      config.manifest?.path ?? `${config.output?.dir ?? usual}/MANIFEST.jsonl`,
    )
    const own = ['', '/cleo.db'].filter(
      (below) => host.files.kind(folder + below) && !isWritable(folder + below),
    )
    return [
      ...own.map((below) =>
        fault(
          `.cleo${below}`,
          `.cleo${below} may not be written to`,
          'every command that changes something fails',
        ),
      ),
      ...outputFaults(patient, output, manifest),
    ]
  },
}

/** What keeps the folder from being used keeps the file in it too. */
const outputFaults = (patient: Patient, output: string, manifest: string): Finding[] => {
  const faults = placeFaults(patient, output, 'output', 'folder')
  return faults.length > 0 && isBelow(output, manifest)
    ? faults
    : [...faults, ...placeFaults(patient, manifest, 'manifest', 'file')]
}

const placeFaults = (
  { host, root }: Patient,
  path: string,
  setting: 'output' | 'manifest',
  wanted: 'file' | 'folder',
): Finding[] => {
  const name = isBelow(root, path) ? path.slice(root.length + 1) : path
  const why = 'no agent can hand in its work'
  const there = host.files.kind(path)
  const end = existing(host.files, path)
  if (!isBelow(root, path) || !isBelow(root, `${host.files.realPath(end)}/`))
    return [fault(name, `${setting}: ${name} is not below the project`, why, 'config')]
  if (there !== undefined && there !== wanted)
    return [fault(name, `${setting}: ${name} is not a ${wanted}`, why)]
  if (there === undefined && host.files.kind(end) !== 'folder')
    return [fault(name, `${setting}: ${name} cannot be made`, why)]
  return isWritable(end) ? [] : [fault(name, `${setting}: ${name} may not be written to`, why)]
}

/** The path, or as much of it as there is. */
const existing = (files: Files, path: string): string => {
  for (let end = path; ; end = end.slice(0, end.lastIndexOf('/')))
    if (end === '' || files.kind(end) !== undefined) return end || '/'
}

const fault = (where: string, what: string, why: string, kind: Finding['kind'] = 'file'): Finding =>
  open({
    kind,
    severity: 'error',
    what,
    why,
    where,
    advice:
      kind === 'config'
        ? 'Name a place below the project in .cleo/config.json'
        : `Check who owns ${where}, and its permissions`,
  })
