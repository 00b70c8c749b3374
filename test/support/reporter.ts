import { DefaultReporter } from 'vitest/node'

type Modules = Parameters<DefaultReporter['onTestRunEnd']>[0]

/** Prints the default report and, as the last line, `N passed, N failed`. */
export default class PlainLine extends DefaultReporter {
  override onTestRunEnd(...run: Parameters<DefaultReporter['onTestRunEnd']>): void {
    super.onTestRunEnd(...run)
    const [modules, errors] = run
    const count = (state: string) =>
      sum(modules, (module) => [...module.children.allTests(state as never)].length)
    const broken = modules.filter(
      (module) => module.state() === 'failed' && module.errors().length > 0,
    ).length
    const skipped = count('skipped')
    const failed = count('failed') + broken + errors.length
    console.log(`${count('passed')} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`)
  }
}

const sum = (modules: Modules, amount: (module: Modules[number]) => number): number =>
  modules.reduce((total, module) => total + amount(module), 0)
