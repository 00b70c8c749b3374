import { test } from 'vitest'
import { executable } from '../support/cleo.ts'
import { killWriters } from './kills.ts'

test('[PROJ-3] 64 writers are killed with -9: no acknowledged write is lost, nothing is half there', () =>
  killWriters({ kills: 64, lanes: 4, seed: 20_262, reader: executable }))
