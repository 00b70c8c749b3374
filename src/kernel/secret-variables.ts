/**
 * Prompts are stored and sent to a model. So CLEO never puts the value of a secret variable into a prompt, even if a
 * person trusted a configuration that lists the variable.
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
