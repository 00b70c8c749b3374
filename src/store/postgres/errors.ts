import { fail, Refused } from '../../kernel/result.ts'
import { shellQuote } from '../../print/shell-quote.ts'
import { createCommand, databaseOf } from './address.ts'

interface PostgresError extends Error {
  code?: string
  syscall?: string
}

const lostCodes = new Set([
  'ECONNRESET',
  'ECONNREFUSED',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EAI_AGAIN',
  '57P01', // the server was told to stop
  '57P02',
  '57P03', // the server is starting up
  '53300', // too many connections
  '08000',
  '08001',
  '08003',
  '08004',
  '08006',
])

/** True if the connection was lost or refused, so that a later try can succeed. */
export const isLost = (error: unknown): boolean => {
  if (!(error instanceof Error)) return false
  const { code, message, syscall } = error as PostgresError
  return (
    lostCodes.has(code ?? '') ||
    // The socket of a server on this computer does not exist, because the server is not running.
    (code === 'ENOENT' && syscall === 'connect') ||
    /Connection terminated|connection ended|timeout expired|not queryable/i.test(message)
  )
}

/**
 * Turns an error during connecting into a refusal that quotes the error. Two kinds of errors are returned unchanged,
 * because the caller handles them: a lost connection, and an error for which the function `explain` has a refusal.
 */
export const connectionError = (error: unknown, where: string): unknown => {
  const known = explain(error, where)
  if (known instanceof Refused || isLost(error) || !(error instanceof Error)) return error
  return new Refused(fail('store.denied', { where, reason: error.message.split('\n')[0]! }))
}

/** Turns an error of PostgreSQL into a refusal; returns any other error unchanged. */
export const explain = (error: unknown, where: string): unknown => {
  if (!(error instanceof Error) || error instanceof Refused) return error
  const { code, message } = error as PostgresError
  switch (code) {
    case '28P01':
    case '28000':
      return new Refused(
        fail('store.denied', {
          where,
          reason: 'wrong user name or password',
          fix: `psql ${shellQuote(where)} -c 'SELECT 1'`,
        }),
      )
    case '3D000':
      return new Refused(
        fail('store.denied', {
          where,
          reason: 'there is no such database',
          fix: createCommand(where, databaseOf(where)),
        }),
      )
    case '42501':
      return new Refused(fail('store.denied', { where, reason: 'this user does not have permission' }))
    case '55P03':
    case '57014':
    case '40P01':
      return new Refused(fail('store.busy', { path: where, seconds: 15 }))
    case '42P01':
    case '3F000':
      return new Refused(fail('store.moved', { where }))
    case '53100':
      return new Refused(fail('store.full', { path: where }))
    case '22P05':
      return new Refused(fail('store.encoding', { where }))
    case '25006':
      return new Refused(fail('store.readonly', { path: where, reason: 'the server is read-only' }))
  }
  if (/self.signed|certificate|SSL|TLS|PEM routines/i.test(message)) {
    return new Refused(fail('store.denied', { where, reason: `no secure connection: ${message}` }))
  }
  if (isLost(error)) return new Refused(fail('store.unreachable', { where, reason: message }))
  return error
}
