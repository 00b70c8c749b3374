import { refuseOldNode } from './host/node-version.ts'

// Imports the program only after the check: an old Node fails on its imports before running any of it.
refuseOldNode()
const { main } = await import('./main.ts')
await main()
