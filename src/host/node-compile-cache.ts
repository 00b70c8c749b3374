/**
 * Lets Node keep the compiled code of the files that this process loads from now on, so that the next process need not
 * compile them. This makes `show` a tenth faster. Node writes the cache once for each file, and again after an update
 * of Node. Writing it takes about as much time as the cache saves in one command.
 *
 * The folder must be inside the package. Only a user who can change the program itself can make a folder there, so
 * the compiled code needs no more trust than the source. If this process cannot make the folder, or if the folder
 * belongs to another user, Node compiles as usual.
 */
export const keepCompiledCode = (folder: string): void => {
  // `enableCompileCache` obeys these two variables itself. Check them here too, so that this function makes no folder
  // that stays unused.
  if (process.env['NODE_DISABLE_COMPILE_CACHE'] || process.env['NODE_COMPILE_CACHE']) return
  const { existsSync, mkdirSync, writeFileSync } = process.getBuiltinModule('node:fs')
  if (!existsSync(folder))
    try {
      // Only this user may write compiled code, whatever the umask is.
      mkdirSync(folder, { mode: 0o700 })
      // In a repository that tracks its packages, git must not list the cache as new files.
      writeFileSync(`${folder}/.gitignore`, '*\n')
    } catch {
      return
    }
  process.getBuiltinModule('node:module').enableCompileCache(folder)
}
