import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** The files that take longest. They start first, so that none of them still runs while the other cores are idle. */
const longest = [
  'reliability/mutants',
  'cli/transcripts',
  'reliability/claims',
  'reliability/chaos',
  'reliability/kill',
  'reliability/manifest',
  'tasks/ready-index',
  'reliability/backup',
  'reliability/small',
  'doctor/healthy',
  'reliability/writers',
  'doctor/doctor',
  'content/commands',
  'reliability/manifest-small',
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
