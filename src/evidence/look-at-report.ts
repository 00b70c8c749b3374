import { readInside } from '../host/safe-read.ts'
import { sha256 } from '../host/sha256.ts'
import type { Looked } from './look.ts'
import { below, type Place } from './place.ts'
import { maxReportSize, readReport } from './reports/read-report.ts'

/** A report of tests, none of them red. That it is true is for those to answer who let it count. */
export const lookAtReport = (place: Place, named: string, { seen, problems }: Looked): void => {
  const path = below(place, named)
  const kind = 'test-run'
  const read = readInside(place.folder, path, maxReportSize)
  if (!read.ok) {
    problems.push({ path: kind, message: `${path} ${read.why} (in ${place.folder})` })
    return
  }
  const report = readReport(read.text)
  if ('problem' in report) problems.push({ path: kind, message: `${path}: ${report.problem}` })
  else if (report.failed > 0)
    problems.push({
      path: kind,
      message: `${path} reports ${report.failed} of ${report.tests} tests as failed`,
    })
  else {
    const { format, passed, failed, skipped } = report
    seen.push({ kind, path, sha256: sha256(read.text), format, passed, failed, skipped })
  }
}
