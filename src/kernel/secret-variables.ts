/**
 * Whether an environment variable holds a credential, by its name. Such a variable never becomes a token, even if the
 * configuration lists it and a person trusted the list: prompts are stored and sent to a model.
 */
export const isSecretVariable = (name: string): boolean =>
  inside.some((part) => name.includes(part)) ||
  endings.some((end) => name === end || name.endsWith(`_${end}`)) ||
  name.endsWith('TOKEN') ||
  `_${name}_`.includes('_KEY_')

const inside = [
  'PASSWORD',
  'PASSWD',
  'PASSPHRASE',
  'SECRET',
  'CREDENTIAL',
  'PRIVATE',
  'DATABASE_URL',
  'APIKEY',
]
const endings = ['PASS', 'PASSFILE', 'PGPASSFILE', 'PGSERVICEFILE', 'PAT', 'AUTH', 'DSN', 'COOKIE', 'NETRC']
