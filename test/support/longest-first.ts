import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** The files that take longest. They start first, so that none of them still runs while the other cores are idle. */
const longest = [
  'reliability/mutants',
  'cli/transcripts',
  'reliability/manifest',
  'reliability/kill',
  'reliability/chaos',
  'doctor/doctor',
  'front-door/play',
  'front-door/honest-projects',
  'reliability/backup',
  'reliability/claims',
  'doctor/healthy',
  'cli/limits',
  'cli/bad-disk',
  'reliability/writers',
  'transfer/restore',
  'tasks/ready-index',
  'cli/doctor',
  'content/commands',
  'transfer/move',
].map((name) => `/test/${name}.test.ts`)

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification) => {
      const at = longest.findIndex((path) => moduleId.endsWith(path))
      return at < 0 ? longest.length : at
    }
    return (await super.sort(files)).sort((a, b) => place(a) - place(b))
  }
}
