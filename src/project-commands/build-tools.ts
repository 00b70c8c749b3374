import { jsonFields, linesWith, linesWithout, type Part, sections, yamlWithout } from './file-parts.ts'

/** The files in a project that decide what a build tool does. Decision 37 explains the choice for each tool. */
export interface BuildTool {
  /** Files that are pinned as a whole; a missing file is pinned as missing. */
  files?: readonly string[]
  /** Files of which only a part is pinned, because the rest changes with ordinary work. */
  parts?: Readonly<Record<string, Part>>
  /**
   * Programs that start the build tool, or that the build tool starts. If PATH finds one of them inside the project, a
   * person has to trust it.
   */
  needs?: readonly string[]
}

const versions = ['.tool-versions', 'mise.toml', '.mise.toml']

const pytestKeys = (key: string): boolean =>
  !/^(?:markers|filterwarnings|minversion|env|timeout\w*|log_\w+|asyncio_\w+|junit_\w+|console_\w+)$/.test(
    key,
  )

const hatchKeys = (key: string): boolean => !/dependencies|features|python|matrix|type/.test(key)

/**
 * Whether a script of the project has the same name as a word of the command. For example, if there is a script
 * `pytest`, `poetry run pytest` runs that script and not the program pytest.
 */
const isNamed = (key: string, words: readonly string[]): boolean => words.includes(key)

const python: BuildTool = {
  files: [...versions, '.python-version', 'pytest.ini', '.pytest.ini', 'pytest.toml', '.pytest.toml'],
  parts: {
    'pyproject.toml': sections(
      { name: 'tool.pytest', keep: pytestKeys },
      { name: 'tool.tox' },
      { name: 'tool.hatch.envs', keep: hatchKeys },
      { name: 'tool.poe.tasks' },
      { name: 'tool.pdm.scripts' },
      { name: 'project.scripts', keep: isNamed },
      { name: 'tool.poetry.scripts', keep: isNamed },
    ),
    'setup.cfg': sections({ name: 'tool:pytest', keep: pytestKeys }),
    'tox.ini': sections({ name: 'pytest', keep: pytestKeys }),
  },
  needs: ['python', 'python3'],
}

const nodeFiles = [...versions, '.node-version', '.npmrc', 'turbo.json', 'nx.json', 'lerna.json']
const packageFields = { 'package.json': jsonFields('packageManager', 'volta', 'devEngines') }
const fromNode = { parts: packageFields, needs: ['node'] }

export const mavenSwitches = linesWith(
  /skip|fail(?:ure)?\.?(?:ignore|never)|testFailureIgnore|<exclude|<(?:test|groups)>/i,
)

const maven: BuildTool = {
  files: [
    ...versions,
    ...['mvnw', '.mvn/wrapper/maven-wrapper.properties', '.mvn/wrapper/maven-wrapper.jar'],
    ...['.mvn/maven.config', '.mvn/jvm.config', '.mvn/extensions.xml', '.mvn/settings.xml'],
  ],
  parts: { 'pom.xml': mavenSwitches },
  needs: ['java'],
}

export const cargoSwitches: Part = linesWith(
  /(?:^|[\s{,.])["']?(?:test|harness|autotests|bench|doctest|default-members|runner)["']?\s*=/,
)

export const gradleSwitches = linesWith(
  /\b(?:enabled|ignoreFailures|onlyIf|exclude|excludeTags|setExcludes|filter|includeTestsMatching|failOnNoMatchingTests|actions|whenReady|doFirst)\b/,
  /\bexclude\s*\(?\s*(?:group|module)\b/,
)
const gradle: BuildTool = {
  files: [
    ...versions,
    'gradlew',
    'gradle/wrapper/gradle-wrapper.properties',
    'gradle/wrapper/gradle-wrapper.jar',
  ],
  parts: {
    'gradle.properties': linesWith(/^(?:org\.gradle|systemProp)\./),
    'settings.gradle': linesWithout(/^\s*include\b/),
    'settings.gradle.kts': linesWithout(/^\s*include\b/),
    'build.gradle': gradleSwitches,
    'build.gradle.kts': gradleSwitches,
  },
  needs: ['java'],
}

export const buildTools: Readonly<Record<string, BuildTool>> = {
  npm: { files: nodeFiles, ...fromNode },
  npx: { files: nodeFiles, ...fromNode },
  node: { files: [...versions, '.node-version', '.npmrc'] },
  pnpm: {
    files: [...nodeFiles, '.pnpmfile.cjs'],
    needs: ['node'],
    parts: {
      ...packageFields,
      'pnpm-workspace.yaml': yamlWithout(
        'packages',
        'catalog',
        'catalogs',
        'overrides',
        'onlyBuiltDependencies',
      ),
    },
  },
  yarn: { files: [...nodeFiles, '.yarnrc', '.yarnrc.yml'], ...fromNode },
  bun: { files: [...nodeFiles, 'bunfig.toml'], parts: packageFields },
  deno: {
    files: versions,
    parts: {
      'deno.json': jsonFields('tasks', 'test', 'lint', 'nodeModulesDir'),
      'deno.jsonc': jsonFields('tasks', 'test', 'lint', 'nodeModulesDir'),
    },
  },
  cargo: {
    files: [...versions, '.cargo/config.toml', '.cargo/config', 'rust-toolchain', 'rust-toolchain.toml'],
    parts: { 'Cargo.toml': cargoSwitches },
    needs: ['rustc'],
  },
  go: { files: [...versions, '.go-version'], parts: { 'go.mod': linesWith(/^toolchain\b/) } },
  python,
  python3: python,
  pytest: python,
  tox: { ...python, files: [...python.files!, 'tox.ini', 'tox.toml'] },
  nox: { ...python, files: [...python.files!, 'noxfile.py'] },
  uv: { ...python, files: [...python.files!, 'uv.toml'], needs: [] },
  poetry: { ...python, files: [...python.files!, 'poetry.toml'] },
  hatch: { ...python, parts: { ...python.parts, 'hatch.toml': sections({ name: 'envs', keep: hatchKeys }) } },
  pdm: { ...python, files: [...python.files!, 'pdm.toml', '.pdm.toml'] },
  pipenv: { ...python, parts: { ...python.parts, Pipfile: sections({ name: 'scripts' }) } },
  bundle: { files: [...versions, '.ruby-version', '.bundle/config', '.rspec'], needs: ['ruby'] },
  rspec: { files: [...versions, '.ruby-version', '.rspec'], needs: ['ruby'] },
  rake: { files: [...versions, '.ruby-version', 'Rakefile', 'rakefile', 'Rakefile.rb'], needs: ['ruby'] },
  mvn: maven,
  mvnw: maven,
  gradle,
  gradlew: gradle,
  mix: {
    files: versions,
    parts: {
      'mix.exs': linesWith(/\baliases\b|\btest\w*:|"test|preferred_cli_env|elixirc_paths/, /\bonly:/),
    },
    needs: ['elixir', 'erl'],
  },
  just: { files: ['justfile', 'Justfile', '.justfile'] },
  task: { files: ['Taskfile.yml', 'Taskfile.yaml', 'taskfile.yml'] },
}
