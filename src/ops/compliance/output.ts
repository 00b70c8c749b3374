import type { OutputFile } from '../../contract/rules/observed.ts'
import { isBelow } from '../../model/path.ts'
import { askedOf, placesIn } from '../manifest/places.ts'
import { type Sight, workFolder } from './sight.ts'

const mostBytes = 4 << 20

/** The output file of the last entry, as it is now. */
export const outputOf = async (sight: Sight): Promise<OutputFile | undefined> => {
  const { context, spawn, standing } = sight
  const { host, root } = context
  if (!standing.file) return undefined
  const { path, state } = standing.file
  const { work, roots } = placesIn(context, workOf(sight, path), askedOf(spawn))
  const read =
    state === 'missing' || !isBelow(work, path)
      ? undefined
      : await host.files.readInside(work, path.slice(work.length + 1), mostBytes)
  return {
    path: isBelow(root, path) ? path.slice(root.length + 1) : path,
    state,
    inPlace: roots.some((folder) => isBelow(folder, path)),
    ...(read?.ok && { text: read.text }),
  }
}

/** The file lies in the folder of the work, or in the project once that was merged. */
const workOf = (sight: Sight, path: string): string => {
  const work = workFolder(sight)
  return isBelow(work, path) ? work : sight.context.root
}
