import { test } from 'vitest'
import { executable } from '../support/cleo.ts'
import { killAppenders } from './manifest-kills.ts'
import { shellsAndAppenders } from './manifest-shells.ts'

test('[MANI-2] 8 shells × 500 echo >> beside appends and ingest: all of it is in the table', () =>
  shellsAndAppenders({ shells: 8, lines: 500, appenders: 3, entries: 50, reader: executable }))

test('[MANI-1] 52 kill -9 around append: file and table agree after the next command, no acknowledged entry is lost', () =>
  killAppenders({ kills: 52, lanes: 4, seed: 20_265, reader: executable }))
