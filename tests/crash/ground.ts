import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ModelServer } from '../support/model-server.ts'
import { patienceMs } from '../support/until.ts'
import type { Fault } from './check/check.ts'
import { type Effects, startEffects } from './effects.ts'
import { Keeper } from './keeper.ts'
import type { Killed, Killing } from './killer.ts'
import { Ledger } from './ledger.ts'
import { startModel } from './model.ts'
import { copyBot, type Mutant, mutate } from './mutants.ts'
import { type BotProcess, type Surroundings, spawnBot } from './process.ts'
import { randomOf } from './random.ts'
import { realDisk } from './real-disk.ts'
import { writeConfig } from './settings.ts'
import { installSpy } from './spy.ts'
import { type Stored, storedIn } from './stored.ts'

export interface GroundOptions {
  seed: number
  without: Mutant | undefined
  say(line: string): void
  /** The bot's environment variables, such as a platform's tokens. */
  environment?: Record<string, string>
  /** Other changes to the shipped configuration. */
  config?: object
  /** Where the bot's tables are, if not in SQLite's file. */
  elsewhere?: Elsewhere | undefined
}

export interface Elsewhere {
  stored: Stored
  laySpy(): Promise<void>
  /** How long a process may be silent, ms. */
  silentMs: number
}

/** Everything a campaign needs: a bot's code and data, its model, and the outside world. */
export interface Ground extends Killing {
  directory: string
  stored: Stored
  /** Once there are tables. */
  laySpy(): Promise<void>
  workspaceDir: string
  surroundings: Surroundings
  effects: Effects
  model: ModelServer
  /** Ends all processes; the directory stays. */
  close(): Promise<void>
}

export interface Outcome {
  summary: string
  faults: Fault[]
  directory: string
}

const checkout = resolve(import.meta.dirname, '../..')
const engine = { sweep_ms: 1000, clock_ms: 100 }

export async function openGround(options: GroundOptions): Promise<Ground> {
  const { seed, without, say, environment, config, elsewhere } = options
  const directory = await mkdtemp(join(realDisk, 'bobbin-crash-'))
  say(`in ${directory}`)
  const root = await copyBot(checkout, join(directory, 'bot'))
  if (without !== undefined) await mutate(root, without)
  const effects = await startEffects(randomOf(seed, 'effects'))
  const model = await startModel(randomOf(seed, 'model'))
  const dataDir = join(directory, 'data')
  await mkdir(dataDir)
  const write = (name: string, silent_ms: number) =>
    writeConfig(join(directory, name), effects.url, { ...engine, silent_ms }, config)
  const configDir = await write('config', elsewhere?.silentMs ?? 1000)
  const databaseFile = join(dataDir, 'bobbin.db')
  const lives: BotProcess[] = []
  const endAll = () => lives.forEach((life) => void life.signal('SIGKILL'))
  process.once('exit', endAll)
  return {
    directory,
    workspaceDir: join(dataDir, 'workspace'),
    databaseFile,
    stored: elsewhere?.stored ?? storedIn(databaseFile),
    laySpy: elsewhere?.laySpy ?? (async () => installSpy(databaseFile)),
    surroundings: { root, dataDir, configDir, modelUrl: model.url, logFile: join(directory, 'bot.log'), environment },
    numbConfigDir: await write('numb', 30_000),
    keeper: new Keeper(),
    ledger: new Ledger(),
    effects,
    model,
    lives,
    say,
    async close() {
      endAll()
      process.off('exit', endAll)
      await Promise.all([effects.close(), model.close()])
    },
  }
}

/** Runs the bot once, because the spy needs the tables. `meet`: what should happen before anything goes wrong. */
export async function layTables(ground: Ground, meet = async () => {}): Promise<void> {
  const { surroundings, lives, ledger, laySpy } = ground
  const first = spawnBot(surroundings)
  lives.push(first)
  await first.ready
  await meet()
  // Its compiled code is kept only if it exits by itself; then later starts take half the time.
  await leave(first, ledger)
  await laySpy()
}

/** The directory stays if it is to be kept or anything is wrong; what was wrong stands there as well. */
export async function conclude(
  { directory }: Ground,
  keep: boolean,
  outcome: Omit<Outcome, 'directory'>,
): Promise<Outcome> {
  const { faults, summary } = outcome
  if (!keep && faults.length === 0) await rm(directory, { recursive: true, force: true })
  else
    await writeFile(
      join(directory, 'verdict.txt'),
      [...faults.map(({ rule, fact }) => `${rule}: ${fact}`), summary, ''].join('\n'),
    )
  return { ...outcome, directory }
}

/** When told to stop, the bot must exit with 0. */
export async function leave(bot: BotProcess, ledger: Ledger): Promise<void> {
  bot.signal('SIGTERM')
  const how = await Promise.race([bot.ended, sleep(patienceMs, 'still there')])
  if (how !== 0) ledger.fault('ended', `told to stop, process ${bot.pid} ended so: ${how}`)
}

export function complaintLines({ complaints }: Killed): string[] {
  const counts = Map.groupBy(complaints, (line) => line.replace(/(ses|turn|call|node)_\w+/g, '$1_…').slice(0, 200))
  return [...counts].map(([line, of]) => `logged ${of.length} times: ${line}`)
}
