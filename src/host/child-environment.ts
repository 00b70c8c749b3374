const allowed = ['PATH', 'HOME', 'USER', 'LANG', 'LC_ALL', 'TZ', 'TMPDIR', 'SHELL']

/** A program of the project starts from a short list of variables, not from everything the caller had. */
export const childEnvironment = (env: Readonly<Record<string, string | undefined>>): Record<string, string> =>
  Object.fromEntries(allowed.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])))
