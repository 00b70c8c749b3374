/** Returns the address without its password, the only form that is shown or logged. */
export const shownAddress = (address: string): string => {
  try {
    const url = new URL(address)
    url.password = ''
    for (const name of ['password', 'sslpassword', 'sslkey']) url.searchParams.delete(name)
    return `${url.protocol}//${url.username ? `${url.username}@` : ''}${url.host}${url.pathname}`
  } catch {
    return 'the PostgreSQL address'
  }
}

export const isPostgresAddress = (address: string): boolean => /^postgres(ql)?:\/\//.test(address)

/** Each project has its own schema, so that no data leaks between projects. */
export const schemaOf = (project: string): string => `cleo_${project}`

/** Returns the address in a form that is safe to store in a shared file. */
export const withoutPassword = (address: string): string => {
  const url = new URL(address)
  url.password = ''
  url.searchParams.delete('password')
  return url.href
}
