import { test } from 'vitest'
import { executable } from '../support/cleo.ts'
import { killWriters } from './kills.ts'

test('[PROJ-3] 200 writers are killed with -9: no acknowledged write is lost, nothing is half there', () =>
  killWriters({ kills: 200, lanes: 4, seed: 20_262, reader: executable }))
