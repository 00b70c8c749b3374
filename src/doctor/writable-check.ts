import { isWritable, whyUnwritable } from '../host/permissions.ts'
import { isBelow, resolvePath } from '../kernel/path.ts'
import { defaultOutput } from '../output/manifest-path.ts'
import { whyNoManifest, whyOutside } from '../project/confined-path.ts'
import { type DiskReason, diskAdvice } from '../refusals/disk-reasons.ts'
import type { FileCheck } from './check.ts'
import { type DoctorFinding, manualFinding } from './doctor-finding.ts'
import type { ExaminedProject } from './examined-project.ts'
import { nearestExisting } from './paths.ts'

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
          'file',
          whyUnwritable(folder + below),
        ),
      ),
      ...outputFaults(project, output, manifest),
      ...(config.output?.roots ?? []).flatMap((path) => {
        const why = whyOutside(root, path)
        return why
          ? [notWritableFinding(path, `output.roots: ${path} ${why}`, 'no output is accepted', 'config')]
          : []
      }),
    ]
  },
}

/** If the output folder has a fault, a manifest inside it is not checked. */
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
  const outside = wanted === 'file' ? whyNoManifest(root, path) : whyOutside(root, path)
  if (outside) return [notWritableFinding(name, `${setting}: ${name} ${outside}`, why, 'config')]
  if (actual !== undefined && actual !== wanted)
    return [notWritableFinding(name, `${setting}: ${name} is not a ${wanted}`, why)]
  if (actual === undefined && host.files.kind(end) !== 'folder')
    return [notWritableFinding(name, `${setting}: ${name} cannot be created`, why)]
  const reason = whyUnwritable(end)
  return reason ? [notWritableFinding(name, `${setting}: ${name} is not writable`, why, 'file', reason)] : []
}

const notWritableFinding = (
  where: string,
  what: string,
  why: string,
  kind: DoctorFinding['kind'] = 'file',
  reason?: DiskReason,
): DoctorFinding =>
  manualFinding({
    kind,
    severity: 'error',
    what,
    why,
    where,
    advice:
      kind === 'config'
        ? 'Set a path inside the project, outside .git and .cleo, in .cleo/config.json'
        : reason === 'readonly'
          ? diskAdvice(reason)[0]!.replace(/\.$/, '')
          : `Check owner and permissions of ${where}`,
  })
