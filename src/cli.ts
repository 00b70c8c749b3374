import { keepCompiledCode } from './host/node-compile-cache.ts'
import { refuseOldNode } from './host/node-version.ts'

// Check the version before importing the program: an old Node cannot load the program's imports.
refuseOldNode()
keepCompiledCode(`${import.meta.dirname}/compile-cache`)
const { main } = await import('./main.ts')
await main()
