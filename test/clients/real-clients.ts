import { describe } from 'vitest'
import { withTemp } from '../support/temp.ts'
import { whyOpen } from './closed-network.ts'
import { type ClientName, type Fetched, fetchClient } from './fetched.ts'
import { type Stage, setStage } from './stage.ts'

const closed = whyOpen()

/** Runs tests once for each client that can be installed, and prints a warning for each that cannot. */
export const describeClients = (
  title: string,
  names: readonly ClientName[],
  tests: (play: <T>(act: (stage: Stage) => Promise<T>) => Promise<T>, client: Fetched) => void,
): void => {
  for (const name of names) {
    const client = closed ?? fetchClient(name)
    if (typeof client === 'string') {
      console.warn(`SKIPPED: ${title} with ${name}: ${client}`)
      describe.skip(`${title}, ${name}`, () => undefined)
      continue
    }
    console.log(`${name}: the program says ${client.says}`)
    describe(`${title}, ${name} ${client.version}`, () => {
      tests((act) => withTemp(async (folder) => act(await setStage(folder, client))), client)
    })
  }
}
