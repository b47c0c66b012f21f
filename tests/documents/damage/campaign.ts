import { createWriteStream } from 'node:fs'
import { readdir, readFile, stat } from 'node:fs/promises'
import { extname, join, resolve } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { parseArgs } from 'node:util'
import { documentsSection } from '../../../src/capabilities/documents/settings.ts'
import { loadConfig } from '../../../src/config/load.ts'
import { settingsIn } from '../../../src/config/section.ts'
import { shippedConfigDir } from '../../../src/config/shipped.ts'
import { ParserPool } from '../../../src/kit/documents/pool.ts'
import { poolSettings } from '../../../src/kit/documents/pool-options.ts'
import { openContainment } from '../../../src/kit/sandbox/contained.ts'
import { builtinSections } from '../../../src/wiring/capabilities.ts'
import { damaged } from './damaged.ts'
import { hostile } from './hostile.ts'
import { odd } from './odd.ts'
import { type Outcome, outcomeOf, readsOn } from './outcome.ts'
import { type NamedFile, samples } from './samples.ts'

// Broken, odd and hostile files against the parsers as the bot runs them: each must end in text or a clear error, within
// its limits, and leave nothing behind; after each, a sound file must be read by the same pool.

const usage = `Usage: node tests/documents/damage/campaign.ts [--steps 100] [--seed 7]
       node tests/documents/damage/campaign.ts --dir <folder with files of your own> [--match <part of a path>]
  --log <file>   one line of JSON for each file
  --parallel 2   files at once`

const { values } = parseArgs({
  options: {
    steps: { type: 'string', default: '100' },
    seed: { type: 'string', default: '7' },
    dir: { type: 'string' },
    match: { type: 'string', default: '' },
    log: { type: 'string' },
    parallel: { type: 'string', default: '1' },
    help: { type: 'boolean', default: false },
  },
})

class Tally {
  readonly outcomes = new Map<string, number>()
  readonly faults: string[] = []
  readonly slowest: { name: string; ms: number }[] = []
  files = 0
  text = 0
  largestBytes = 0

  add(name: string, outcome: Outcome, ms: number): void {
    this.files++
    if (outcome.is === 'text') this.text++
    else if (outcome.is === 'fault') this.faults.push(`${name}: ${outcome.fault}`)
    else this.outcomes.set(outcome.code, (this.outcomes.get(outcome.code) ?? 0) + 1)
    this.slowest.push({ name, ms })
    this.slowest.sort((a, b) => b.ms - a.ms).splice(5)
    this.largestBytes = Math.max(this.largestBytes, process.memoryUsage.rss())
  }
}

async function run(): Promise<number> {
  const loaded = loadConfig(
    { BOBBIN_CONFIG_DIR: shippedConfigDir },
    resolve(import.meta.dirname, '../../..'),
    builtinSections,
  )
  if (!('config' in loaded)) throw new Error('the shipped configuration has complaints')
  const documents = settingsIn(loaded.config, documentsSection)
  const pool = new ParserPool({ ...poolSettings(documents), containment: openContainment() })
  const log = values.log === undefined ? undefined : createWriteStream(values.log)
  const tally = new Tally()
  const before = process.memoryUsage.rss()
  // What one worker may take, and what a thread takes besides.
  const bound = before + 1.5 * documents.heapBytes + documents.bufferBytes + 300e6
  let delayMs = 0
  const isHostile = values.dir === undefined

  async function tryOne(file: NamedFile): Promise<void> {
    const { name } = file
    const bytes = file.bytes.length
    const began = performance.now()
    // One for each file: switched off and on, it would count the time between.
    const delay = monitorEventLoopDelay({ resolution: 5 })
    delay.enable()
    const outcome = await outcomeOf(pool, file)
    delay.disable()
    delayMs = Math.max(delayMs, delay.max / 1e6)
    const ms = Math.round(performance.now() - began)
    tally.add(name, outcome, ms)
    const rss = process.memoryUsage.rss()
    log?.write(`${JSON.stringify({ name, bytes, ms, rss: megabytes(rss), ...outcome })}\n`)
    if (ms > documents.parseMs * 2 + 5_000) tally.faults.push(`${name} took ${ms} ms`)
    if (rss > bound) tally.faults.push(`${name}: the process has ${megabytes(rss)} MB`)
    if (pool.size > documents.workers) tally.faults.push(`${name}: ${pool.size} workers`)
    const isLimit = outcome.is === 'error' && outcome.code === 'too_complex'
    if ((isHostile || isLimit) && !(await readsOn(pool).catch(() => false))) {
      tally.faults.push(`after ${name} a sound file was not read`)
    }
    if (tally.files % 500 === 0) process.stderr.write(`${tally.files} files, ${tally.faults.length} faults\n`)
  }

  const queue = files()
  async function work(): Promise<void> {
    for (let next = await queue.next(); next.done !== true; next = await queue.next()) await tryOne(next.value)
  }
  await Promise.all(Array.from({ length: Number(values.parallel) }, work))
  await pool.stop()
  log?.end()
  if (pool.size > 0) tally.faults.push(`${pool.size} workers are left behind`)

  for (const fault of tally.faults) process.stdout.write(`FAULT ${fault}\n`)
  for (const { name, ms } of tally.slowest) process.stdout.write(`slow: ${(ms / 1000).toFixed(1)} s ${name}\n`)
  const errors = [...tally.outcomes].toSorted(([, a], [, b]) => b - a).map(([code, number]) => `${code} ${number}`)
  process.stdout.write(
    `${tally.files} files: ${tally.text} gave text, the others a clear error (${errors.join(', ')}), ` +
      `${tally.faults.length} faults · process at most ${megabytes(tally.largestBytes)} MB (${megabytes(before)} before) · ` +
      `event loop delayed by at most ${delayMs.toFixed(0)} ms\n`,
  )
  return tally.faults.length === 0 ? 0 : 1
}

const megabytes = (bytes: number): number => Math.round(bytes / 1_000_000)

/** Nobody means these to be documents; text files are no matter of the parsers. */
const others = new Set(
  '.js .ts .py .java .rb .css .json .md .yml .link .in .h .c .sh .txt .xml .html .htm .svg'.split(' '),
)

async function* files(): AsyncGenerator<NamedFile> {
  if (values.dir !== undefined) return yield* filesOf(values.dir)
  for (const make of [...hostile, ...odd.map(([, make]) => make)]) yield await make()
  for (const sample of await samples()) yield* damaged(sample, Number(values.steps), Number(values.seed))
}

async function* filesOf(dir: string): AsyncGenerator<NamedFile> {
  for (const entry of await readdir(dir, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    if (!entry.isFile() || !path.includes(values.match) || others.has(extname(path).toLowerCase())) continue
    if ((await stat(path)).size < 100_000_000) yield { name: path, bytes: await readFile(path) }
  }
}

if (values.help) process.stdout.write(`${usage}\n`)
else process.exitCode = await run()
