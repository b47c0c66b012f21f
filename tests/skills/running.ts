import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { shippedSkills } from '../../src/capabilities/skills/folders.ts'

/** Runs a script as the sandbox would, without one: it is tried in tests/scenarios. Resolves with what it printed. */
export async function run(folder: string, script: string, ...words: string[]): Promise<string> {
  const [skill = '', name = ''] = script.split('/')
  const path = join(shippedSkills, skill, 'scripts', `${name}.mjs`)
  const { stdout } = await promisify(execFile)(process.execPath, [path, ...words], { cwd: folder })
  return stdout
}

export const failure = async (running: Promise<unknown>): Promise<string> =>
  running.then(
    () => 'it did not fail',
    ({ stderr }) => String(stderr),
  )
