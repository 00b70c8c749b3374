/**
 * Whether a path is secret. A path is secret if a part of it is the name of a secret file. A path into `.cleo` is also
 * secret, unless it leads into a folder there that agents may read. Recognises every spelling that some file systems
 * treat as the same name: other case, other Unicode forms, invisible characters, and dots or spaces at the end.
 */
export const isSecret = (path: string): boolean => {
  const parts = plain(path).split('/').map(withoutEnd)
  return parts.some((name, i) => isSecretName(name) || (parts[i - 1] === '.cleo' && !workspaces.has(name)))
}

/** Whether a name is `.git` or `.cleo`, in any spelling that some file systems treat as the same. */
export const isOwnFolder = (name: string): boolean => ownFolders.has(withoutEnd(plain(name)))

/** Whether a path leads into `.git` or `.cleo`, but not into a folder of `.cleo` that agents may read. */
export const isOwnFile = (path: string): boolean => {
  const parts = plain(path).split('/').map(withoutEnd)
  return parts.some(
    (name, i) => ownFolders.has(name) && !(name === '.cleo' && workspaces.has(parts[i + 1] ?? '')),
  )
}

const ownFolders = new Set(['.git', 'git~1', '.cleo', 'cleo~1'])

const plain = (path: string): string =>
  path
    .normalize('NFKC')
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .toLowerCase()

const withoutEnd = (name: string): string => {
  let end = name.length
  while (name[end - 1] === '.' || name[end - 1] === ' ') end--
  return name.slice(0, end)
}

/** A secret name with a further ending is still secret. For example, `.netrc.md` and `server.key~` are secret. */
const isSecretName = (name: string): boolean => {
  const parts = name.split(/(?=[.~ ])/)
  return (
    starts.some((start) => name.startsWith(start)) ||
    parts.some((_, i) => names.has(parts.slice(0, i + 1).join(''))) ||
    endings.has(name) ||
    parts.some((part) => part[0] === '.' && endings.has(part.slice(1))) ||
    /\.env(?![a-z])/.test(name) ||
    (name.split('.').some((part) => stems.has(part)) && !name.endsWith('.md'))
  )
}

const starts = ['.env', 'id_rsa', 'id_dsa', 'id_ecdsa', 'id_ed25519', 'cleo.db']

const names = new Set([
  ...['.git', 'git~1', '.git-credentials', '.ssh', '.gnupg', '.aws', '.azure', '.gcloud', '.kube', '.docker'],
  ...['.npmrc', '.yarnrc', '.yarnrc.yml', '.pypirc', '.netrc', '_netrc', '.pgpass', '.my.cnf', '.htpasswd'],
  ...['.dockercfg', '.vault-token', '.password-store'],
])

const endings = new Set([
  ...['env', 'pem', 'key', 'p8', 'p12', 'pfx', 'ppk', 'jks', 'keystore', 'kdbx', 'gpg', 'tfstate', 'tfvars'],
])

/**
 * Names that are secret with any extension, such as `credentials.json`. The exception is `.md`, because a page about
 * secrets is not secret.
 */
const stems = new Set(['credentials', 'credential', 'secrets', 'secret', 'client_secret', 'service-account'])

/**
 * The only folders of `.cleo` that agents may read. The rest of `.cleo` holds the database, its address and prompts.
 */
const workspaces = new Set(['rcasd', 'test-runs'])
