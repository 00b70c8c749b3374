/** Normalises a path in the same way as `node:path`. That module is not used, because loading it takes too long. */
export const normalPath = (path: string): string => {
  const absolute = path.startsWith('/')
  const parts: string[] = []
  for (const part of path.split('/')) {
    if (part === '' || part === '.') continue
    if (part !== '..') parts.push(part)
    else if (parts.length > 0 && parts.at(-1) !== '..') parts.pop()
    else if (!absolute) parts.push(part)
  }
  return absolute ? `/${parts.join('/')}` : parts.join('/') || '.'
}

/** Resolves a path against an absolute folder. */
export const resolvePath = (from: string, path: string): string =>
  normalPath(path.startsWith('/') ? path : `${from}/${path}`)

export const isBelow = (folder: string, path: string): boolean => path.startsWith(`${folder}/`)
