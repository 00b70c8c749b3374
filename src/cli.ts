import { refuseOldNode } from './host/node-version.ts'

// Check the version before importing the program: an old Node cannot load the program's imports.
refuseOldNode()
const { main } = await import('./main.ts')
await main()
