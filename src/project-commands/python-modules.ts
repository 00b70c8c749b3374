import type { ProjectFolder } from './project-folder.ts'

/**
 * Names of modules that belong to test programs. `python -m pytest` looks for modules in the current folder first. A
 * file `pluggy.py` in that folder would run instead of the installed module. So files with these names are pinned
 * with their content.
 */
const testProgramModules: readonly string[] = [
  ...[
    'pytest',
    '_pytest',
    'pluggy',
    'iniconfig',
    'packaging',
    'exceptiongroup',
    'tomli',
    'pygments',
    'colorama',
  ],
  ...['unittest', 'unittest2', 'nose2', 'tox', 'nox', 'xdist', 'coverage', 'sitecustomize', 'usercustomize'],
]

/** Modules of Python itself. Names that projects often use for folders are left out: `test`, `site`, `code`. */
const standardModules = new Set(
  `abc argparse array ast asyncio atexit base64 bdb binascii bisect builtins bz2 calendar cmd codecs codeop collections
   colorsys compileall concurrent configparser contextlib contextvars copy copyreg csv ctypes dataclasses datetime
   decimal difflib dis doctest encodings enum errno faulthandler fcntl filecmp fileinput fnmatch fractions functools gc
   genericpath getopt getpass gettext glob graphlib gzip hashlib heapq hmac html http imp importlib inspect io ipaddress
   itertools json keyword linecache locale logging lzma marshal math mimetypes mmap multiprocessing netrc ntpath numbers
   opcode operator optparse os pathlib pdb pickle pickletools pkgutil platform plistlib posix posixpath pprint profile
   pstats pty pwd py_compile pydoc pyexpat queue quopri random re readline reprlib resource runpy sched secrets select
   selectors shelve shlex shutil signal socket socketserver sqlite3 sre_compile sre_constants sre_parse ssl stat
   statistics string stringprep struct subprocess symtable sys sysconfig tarfile tempfile termios textwrap threading
   time timeit token tokenize tomllib trace traceback tracemalloc tty types typing unicodedata urllib uuid venv warnings
   weakref webbrowser xml zipfile zipimport zlib zoneinfo`.split(/\s+/),
)

const shadowKey = 'modules with the name of a standard Python module'

/**
 * Returns, by path, the hashes of files in the folder that would run instead of installed modules. Also returns,
 * under `shadowKey`, the names of modules that would run instead of standard modules.
 */
export const shadowingModules = (
  project: Pick<ProjectFolder, 'names' | 'hash' | 'isFile'>,
): Record<string, string> => {
  const found: Record<string, string> = {}
  for (const name of testProgramModules)
    for (const path of [`${name}.py`, `${name}/__init__.py`, `${name}/__main__.py`])
      found[path] = project.hash(path)
  // If a module has the name of a standard module, pin only its name, so that agents may edit the content. A new module
  // with the name of a standard module counts as a change.
  const own = project.names.filter((name) => isShadow(name) && isModule(project, name))
  return { ...found, [shadowKey]: own.join(' ') }
}

const isShadow = (name: string): boolean => {
  const stem = name.replace(/\.(?:py|pyc|so|abi3\.so|cpython-.*)$/, '')
  return standardModules.has(stem) || stem.startsWith('pytest_') || stem.startsWith('_pytest')
}

const isModule = (project: Pick<ProjectFolder, 'isFile'>, name: string): boolean =>
  /\.(?:py|pyc|so)$/.test(name) || project.isFile(`${name}/__init__.py`)
