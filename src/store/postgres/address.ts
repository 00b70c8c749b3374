import { shellQuote } from '../../print/shell-quote.ts'

const secretParameters = ['password', 'sslpassword']

/** Returns the address without its password, the only form that is shown or logged. */
export const shownAddress = (address: string): string => {
  const url = parseAddress(address)
  if (!url) return 'the PostgreSQL address'
  const shown = `${url.protocol}//${url.username ? `${url.username}@` : ''}${url.host}${url.pathname}`
  return shown.length > mostShown ? `${shown.slice(0, mostShown)}…` : shown
}

/** An address that cannot be parsed counts as one with a password. */
export const hasPassword = (address: string): boolean => {
  const url = parseAddress(address)
  if (url?.password !== '') return true
  return [...url.searchParams.keys()].some((name) => secretParameters.includes(name.toLowerCase()))
}

/**
 * Returns undefined if a part of the password might be in another field, because CLEO shows some of the other fields to
 * people. There are two cases:
 * - If the password contains an unencoded `/`, `?` or `#`, the rest of the password and the `@` are in the path, query
 *   or fragment.
 * - If the colon before the password is encoded, the password is in the user name.
 */
const parseAddress = (address: string): URL | undefined => {
  try {
    const url = new URL(address)
    const { username, pathname, search, hash } = url
    return `${pathname}${search}${hash}`.includes('@') || /%3a/i.test(username) ? undefined : url
  } catch {
    return undefined
  }
}

const mostShown = 200

export const isPostgresAddress = (address: string): boolean => /^postgres(ql)?:\/\//.test(address)

/** Each project has its own schema, so that no data leaks between projects. */
export const schemaOf = (project: string): string => `cleo_${project}`

/** Returns the address in a form that is safe to store in a shared file. */
export const withoutPassword = (address: string): string => {
  const url = new URL(address)
  url.password = ''
  for (const name of secretParameters) url.searchParams.delete(name)
  return url.href
}

const sslModes = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full', 'no-verify']

/**
 * Returns what is wrong with an address, as the end of a sentence. Does not quote the address, because it can
 * contain a password.
 */
export const addressProblem = (address: string): string | undefined => {
  if (!isPostgresAddress(address)) return 'it does not begin with postgres://'
  if (/\s/.test(address)) return 'it contains a space; write it as %20'
  if (hasWrongEscape(address)) return 'it contains a % that begins no valid escape; write a % itself as %25'
  const [, authority = ''] = /^[a-z]+:\/\/([^/?#]*)/.exec(address)!
  const port = /:([^:@\]]*)$/.exec(authority.slice(authority.lastIndexOf('@') + 1))?.[1]
  if (port !== undefined && !(/^\d{1,5}$/.test(port) && Number(port) >= 1 && Number(port) <= 65_535))
    return 'its port is not a number from 1 to 65535; write # / ? @ in a password as %23 %2F %3F %40'
  if (!URL.canParse(address) || new URL(address).hash !== '')
    return 'it is not a valid address; write # / ? @ in a password as %23 %2F %3F %40'
  const { hostname, searchParams } = new URL(address)
  if (hostname === '' && !searchParams.get('host')) return 'it names no server'
  const mode = searchParams.get('sslmode')
  if (mode !== null && !sslModes.includes(mode)) return `its sslmode is not one of ${sslModes.join(', ')}`
  return undefined
}

const hasWrongEscape = (text: string): boolean => {
  try {
    decodeURIComponent(text)
    return false
  } catch {
    return true
  }
}

/**
 * Settings that CLEO itself sets. An address must not override them: with other `options`, for example, CLEO would use
 * another schema.
 */
const ownSettings = ['options', 'client_encoding', 'application_name', 'lock_timeout', 'statement_timeout']

export const connectionOf = (address: string): { address: string; options: string } => {
  const url = new URL(address)
  const options = url.searchParams.get('options') ?? ''
  for (const name of [...ownSettings, 'idle_in_transaction_session_timeout']) url.searchParams.delete(name)
  // Replace the modes below by verify-full. The package `pg` treats them as verify-full, but prints a warning about
  // them in every command.
  const mode = url.searchParams.get('sslmode')
  if (mode && ['prefer', 'require', 'verify-ca'].includes(mode) && !url.searchParams.has('uselibpqcompat'))
    url.searchParams.set('sslmode', 'verify-full')
  return { address: url.href, options }
}

export const keyFiles = (address: string): string[] => {
  const { searchParams } = new URL(address)
  return ['sslrootcert', 'sslcert', 'sslkey'].flatMap((name) => searchParams.get(name) ?? [])
}

/**
 * Returns a command that creates a database on the server of this address. Undefined if the address cannot be parsed,
 * or if the name has characters other than letters, digits and `_`.
 */
export const createCommand = (where: string, name: string, more = ''): string | undefined => {
  if (!URL.canParse(where) || !/^[a-z0-9_]{1,60}$/i.test(name)) return undefined
  const url = new URL(where)
  url.pathname = '/postgres'
  return `createdb --maintenance-db=${shellQuote(url.href)}${more} ${name}`
}

export const databaseOf = (where: string): string =>
  URL.canParse(where) ? new URL(where).pathname.slice(1) : ''
