import { readFileSync } from 'node:fs'
import { beforeEach } from 'vitest'
import { withoutSandbox } from './sandbox.ts'

/** Only tests that have programs run name these. Others that need a sandbox say so themselves. */
const runsPrograms = /run_command|run_script|run_skill_script|sandbox\/support|support\/box/
/** `doctor` finds it broken that there is none. */
const doctor = /doctor\/command\.test\.ts$/

// Vitest loads this anew for each file.
if (withoutSandbox) {
  beforeEach(({ task, skip }) => {
    const { filepath } = task.file
    if (doctor.test(filepath) || runsPrograms.test(readFileSync(filepath, 'utf8'))) skip('there is no sandbox')
  })
}
