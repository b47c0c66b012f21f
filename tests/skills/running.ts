import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { format, inspect } from 'node:util'
import { shippedSkills } from '../../src/capabilities/skills/folders.ts'

let runs = 0
let last: Promise<unknown> = Promise.resolve()

/**
 * Runs a script with these words, in this folder. Resolves with what it printed. It runs in this process, because
 * starting one takes longer than most scripts do; in the sandbox they are tried in tests/scenarios.
 */
export function run(folder: string, script: string, ...words: string[]): Promise<string> {
  const [skill = '', name = ''] = script.split('/')
  const path = join(shippedSkills, skill, 'scripts', `${name}.mjs`)
  const next = last.then(() => inFolder(folder, path, words))
  last = next.catch(() => {})
  return next
}

async function inFolder(folder: string, path: string, words: string[]): Promise<string> {
  const { argv, log, cwd } = { argv: process.argv, log: console.log, cwd: process.cwd() }
  let printed = ''
  process.argv = [process.execPath, path, ...words]
  console.log = (...said) => {
    printed += `${format(...said)}\n`
  }
  process.chdir(folder)
  try {
    // Another address, so that it runs again.
    await import(`${pathToFileURL(path)}?${runs++}`)
    return printed
  } finally {
    process.chdir(cwd)
    console.log = log
    process.argv = argv
  }
}

/** What it would print as its error. */
export const failure = async (running: Promise<unknown>): Promise<string> =>
  running.then(
    () => 'it did not fail',
    (thrown) => inspect(thrown),
  )
