import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** One that takes minutes comes early, so that nothing waits for it alone at the end; two of them not at the same time. */
class LongOnesEarly extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const is = (name: string) => (file: TestSpecification) => file.moduleId.endsWith(name)
    const [crash, hostile] = [sorted.filter(is('crash.test.ts')), sorted.filter(is('hostile.test.ts'))]
    const others = sorted.filter((file) => !crash.includes(file) && !hostile.includes(file))
    return [...crash, ...others.slice(0, 40), ...hostile, ...others.slice(40)]
  }
}

export default defineConfig({
  test: {
    include: ['tests/**/*.test.ts'],
    setupFiles: ['tests/support/seed.ts'],
    globalSetup: ['tests/support/left-out.ts'],
    sequence: { sequencer: LongOnesEarly },
    testTimeout: 60_000,
    hookTimeout: 60_000,
    pool: 'forks',
    maxWorkers: 2,
  },
})
