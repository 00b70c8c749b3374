import { cargoSwitches, gradleSwitches, mavenSwitches } from './build-tools.ts'
import type { Part } from './file-parts.ts'
import { foldersWith } from './glob.ts'
import type { ProjectFolder } from './project-folder.ts'

const mostModules = 500

/**
 * Returns the path of each module's build file in a Maven, Gradle or Cargo build. Each path comes with a function that
 * extracts the part of the file that decides about tests.
 */
export const moduleFiles = (
  project: ProjectFolder,
  tools: readonly string[],
): [path: string, part: (content: string) => string][] => {
  const uses = (...names: string[]) => names.some((name) => tools.includes(name))
  const found: [string, Part][] = [
    ...(uses('mvn', 'mvnw')
      ? mavenModules(project).map((path) => [path, mavenSwitches] as [string, Part])
      : []),
    ...(uses('gradle', 'gradlew')
      ? gradleModules(project).map((path) => [path, gradleSwitches] as [string, Part])
      : []),
    ...(uses('cargo') ? cargoMembers(project).map((path) => [path, cargoSwitches] as [string, Part]) : []),
  ]
  return found.slice(0, mostModules).map(([path, part]) => [path, (content) => part(content, [])])
}

/** Follows the `<module>` elements, beginning in the pom.xml of the folder. */
const mavenModules = ({ read, isFile }: ProjectFolder): string[] => {
  const found = new Set<string>()
  const open = ['']
  for (let at = open.pop(); at !== undefined && found.size < mostModules; at = open.pop()) {
    const text = read(`${at}pom.xml`) ?? ''
    for (const [, name] of text.matchAll(/<module>\s*([^<\s]+)\s*<\/module>/g)) {
      const path = `${at}${name}/pom.xml`
      if (found.has(path) || !isFile(path)) continue
      found.add(path)
      open.push(`${at}${name}/`)
    }
  }
  return [...found]
}

/**
 * Returns the build files of included projects. Also returns every script that is applied in one of these files or in
 * the root build file.
 */
const gradleModules = ({ read, isFile }: ProjectFolder): string[] => {
  const settings = `${read('settings.gradle') ?? ''}\n${read('settings.gradle.kts') ?? ''}`
  const names = [...settings.matchAll(/^\s*include\b(.*)$/gm)].flatMap(([, list]) =>
    [...list!.matchAll(/["']:?([\w:./-]+)["']/g)].map(([, name]) => name!.replaceAll(':', '/')),
  )
  const own = names.flatMap((name) => [`${name}/build.gradle`, `${name}/build.gradle.kts`])
  const applied = ['build.gradle', 'build.gradle.kts', ...own].flatMap((path) =>
    [...(read(path) ?? '').matchAll(/\bapply\s*\(?\s*from\s*[:=]\s*["'](?:\$\w+\/)?([^"'$]+)["']/g)].map(
      ([, name]) => name!,
    ),
  )
  return [...new Set([...own, ...applied])].filter(isFile)
}

const cargoMembers = (project: ProjectFolder): string[] => {
  const list = /^members\s*=\s*\[([^\]]*)\]/m.exec(project.read('Cargo.toml') ?? '')?.[1] ?? ''
  const patterns = [...list.matchAll(/["']([^"']+)["']/g)].map(([, pattern]) => pattern!)
  return foldersWith(project, patterns, ['Cargo.toml']).map((folder) => `${folder}/Cargo.toml`)
}
