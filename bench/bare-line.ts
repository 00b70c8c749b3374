import { write } from '../src/host/standard-streams.ts'

// The least that a command without a store has to do: write a line.
write(1, '{}\n')
process.exit(0)
