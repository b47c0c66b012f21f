import type { Reporter, TestCase } from 'vitest/node'

/** Says why a test is red as soon as it is: the whole list comes at the end, which a run that is broken off never reaches. */
export default class RedAtOnce implements Reporter {
  onTestCaseResult(test: TestCase): void {
    const { state, errors = [] } = test.result()
    if (state !== 'failed') return
    const why = errors.map(({ message, diff, stack }) => [message, diff, stack].filter(Boolean).join('\n')).join('\n')
    process.stderr.write(`\nred: ${test.module.relativeModuleId} > ${test.fullName}\n${why}\n\n`)
  }
}
