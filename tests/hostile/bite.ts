import { spawn } from 'node:child_process'
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Outcome } from './play.ts'
import { protections } from './protections.ts'
import type { Protection } from './switch-off.ts'

const root = resolve(import.meta.dirname, '../..')
const copied = ['src', 'config', 'tests', 'package.json']
const mostMs = 240_000

interface Bitten {
  name: string
  /** Scenarios whose attack worked without it. */
  done: string[]
  /** Scenarios that ended differently than expected. */
  otherwise: string[]
  played: number
  /** Why it was not tried. */
  trouble: string | undefined
}

/** Switches off protections in a copy, one at a time. Returns 0 if an attack then succeeds for each of them. */
export async function bite(only: string[], say: (text: string) => void): Promise<number> {
  const chosen = protections.filter(({ name }) => only.length === 0 || only.some((text) => name.includes(text)))
  const directory = await mkdtemp(join(tmpdir(), 'bobbin-bite-'))
  try {
    for (const one of copied) await cp(join(root, one), join(directory, one), { recursive: true })
    await symlink(join(root, 'node_modules'), join(directory, 'node_modules'))
    const all = [...new Set(chosen.flatMap((one) => one.only))]
    say(`With every protection: ${all.length} groups of scenarios.`)
    const before = await play(directory, all)
    const already = new Set(before.outcomes.filter(isBroken).map(({ id }) => id))
    if (before.outcomes.length === 0) say(`Nothing could be played: ${before.trouble}`)
    if (already.size > 0) say(`These fail as it is, and show nothing: ${[...already].join(', ')}`)
    let shown = 0
    for (const protection of chosen) {
      const bitten = await without(protection, directory, already)
      if (bitten.done.length > 0) shown++
      say(lineOf(bitten))
    }
    say(`\n${shown} of ${chosen.length} protections are shown by a scenario that works without them.`)
    return shown === chosen.length ? 0 : 1
  } finally {
    await rm(directory, { recursive: true, force: true, maxRetries: 3 })
  }
}

const isBroken = ({ result, fault }: Outcome): boolean => result === 'done' || fault !== undefined

async function without({ name, changes, only }: Protection, directory: string, already: Set<string>): Promise<Bitten> {
  const originals: { file: string; text: string }[] = []
  try {
    for (const { file, find, replace } of changes) {
      const path = join(directory, file)
      const text = await readFile(path, 'utf8')
      if (text.split(find).length !== 2)
        return { name, done: [], otherwise: [], played: 0, trouble: `its text is not once in ${file}` }
      originals.push({ file: path, text })
      await writeFile(
        path,
        text.replace(find, () => replace),
      )
    }
    const { outcomes, trouble } = await play(directory, only)
    const failed = outcomes.filter(({ id }) => !already.has(id)).filter(isBroken)
    const done = failed.filter(({ result }) => result === 'done').map(({ id }) => id)
    const otherwise = failed.filter(({ result }) => result !== 'done').map(({ id }) => id)
    return { name, done, otherwise, played: outcomes.length, trouble }
  } finally {
    for (const { file, text } of originals) await writeFile(file, text)
  }
}

/** Plays the copy's scenarios in a separate process, which is killed if it takes too long. */
async function play(directory: string, only: string[]): Promise<{ outcomes: Outcome[]; trouble: string | undefined }> {
  const args = ['tests/hostile/run.ts', '--json', ...only.flatMap((text) => ['--only', text])]
  const child = spawn(process.execPath, args, {
    cwd: directory,
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: mostMs,
    killSignal: 'SIGKILL',
  })
  let out = ''
  let errors = ''
  child.stdout.on('data', (bytes: Buffer) => {
    out += bytes.toString()
  })
  child.stderr.on('data', (bytes: Buffer) => {
    errors = (errors + bytes.toString()).slice(-2000)
  })
  const { promise, resolve: ended } = Promise.withResolvers<number | null>()
  child.on('close', ended)
  const code = await promise
  const outcomes = out.split('\n').flatMap((line) => parsed(line))
  const trouble = code === 0 || code === 1 ? undefined : `it ended with ${code}: ${errors.trim().split('\n').at(-1)}`
  return { outcomes, trouble }
}

function parsed(line: string): Outcome[] {
  try {
    const value = JSON.parse(line) as Outcome
    return typeof value.id === 'string' && typeof value.result === 'string' ? [value] : []
  } catch {
    // Other output.
    return []
  }
}

function lineOf({ name, done, otherwise, played, trouble }: Bitten): string {
  const what = done.length > 0 ? done.join(', ') : 'not shown'
  const more = otherwise.length > 0 ? `; otherwise than meant: ${otherwise.join(', ')}` : ''
  return `${name.padEnd(36)} ${`${played} played`.padEnd(11)} ${what}${more}${trouble === undefined ? '' : ` (${trouble})`}`
}
