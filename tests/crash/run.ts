import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { reasonOf } from '../../src/domain/errors.ts'
import { checkApi } from './check/api.ts'
import { check, type Fault } from './check/check.ts'
import { readRows } from './check/rows.ts'
import { talk } from './clients.ts'
import { startEffects } from './effects.ts'
import { Keeper } from './keeper.ts'
import { type Killed, killAsPlanned } from './killer.ts'
import { Ledger } from './ledger.ts'
import { startModel } from './model.ts'
import { copyBot, type Mutant, mutate } from './mutants.ts'
import { click } from './people.ts'
import { planKills } from './plan.ts'
import { type BotProcess, spawnBot } from './process.ts'
import { untilQuiet } from './quiet.ts'
import { randomOf } from './random.ts'
import { report } from './report.ts'
import { writeConfig } from './settings.ts'
import { installSpy } from './spy.ts'

export interface CampaignOptions {
  seed: number
  kills: number
  freezes: number
  /** Conversations at the same time. */
  conversations: number
  without: Mutant | undefined
  /** Leaves the directory behind. */
  keep: boolean
  say(line: string): void
}

export interface Outcome {
  summary: string
  faults: Fault[]
  directory: string
}

const checkout = resolve(import.meta.dirname, '../..')
const quietMs = 90_000
const engine = { sweep_ms: 1000, clock_ms: 100 }

/** One campaign, from an empty directory to a verdict. */
export async function runCampaign(options: CampaignOptions): Promise<Outcome> {
  const { seed, without, say } = options
  const begun = performance.now()
  const directory = await mkdtemp(join(tmpdir(), 'bobbin-crash-'))
  const root = await copyBot(checkout, join(directory, 'bot'))
  if (without !== undefined) await mutate(root, without)
  const effects = await startEffects(randomOf(seed, 'effects'))
  const model = await startModel(randomOf(seed, 'model'))
  const dataDir = join(directory, 'data')
  await mkdir(dataDir)
  const configDir = await writeConfig(join(directory, 'config'), effects.url, { ...engine, silent_ms: 1000 })
  const numbConfigDir = await writeConfig(join(directory, 'numb'), effects.url, { ...engine, silent_ms: 30_000 })
  const surroundings = { root, dataDir, configDir, modelUrl: model.url, logFile: join(directory, 'bot.log') }
  const databaseFile = join(dataDir, 'bobbin.db')
  const ledger = new Ledger()
  const keeper = new Keeper()
  const lives: BotProcess[] = []
  const endAll = () => lives.forEach((life) => void life.signal('SIGKILL'))
  process.once('exit', endAll)
  say(`in ${directory}`)

  try {
    // The tables must be there before the spy can watch them.
    const first = spawnBot(surroundings)
    lives.push(first)
    await first.ready
    first.signal('SIGKILL')
    await first.ended
    installSpy(databaseFile)

    const ending = new AbortController()
    const ended = new AbortController()
    const talking = talk({ seed, atOnce: options.conversations, keeper, ledger, ending: ending.signal })
    const clicking = click({ seed, keeper, ledger, ended: ended.signal })
    const plan = planKills(seed, options.kills, options.freezes)
    const killing = { surroundings, databaseFile, numbConfigDir, keeper, ledger, say, lives }
    const { bot, killed } = await killAsPlanned(plan, killing)
    ending.abort()
    await Promise.race([talking, sleep(30_000, undefined, { ref: false })])
    const left = await untilQuiet(databaseFile, quietMs)
    if (left !== '') ledger.fault('quiet', `after ${quietMs} ms there are ${left}`)
    ended.abort()
    await clicking
    await checkApi(await bot.ready, databaseFile, ledger)
    await leave(bot, ledger)
    for (const violation of model.violations) ledger.fault('history', violation)

    const evidence = { rows: readRows(databaseFile), ledger, effects: effects.arrived }
    const faults = [...ledger.faults, ...check({ ...evidence, workspaceDir: join(dataDir, 'workspace') })]
    const summary = report({ ...evidence, killed, plan, faults, seed, tookMs: performance.now() - begun })
    for (const line of complaintLines(killed)) say(line)
    if (!options.keep && faults.length === 0) await rm(directory, { recursive: true, force: true })
    return { summary, faults, directory }
  } catch (thrown) {
    // Such as a bot that does not start: the log in the directory says why.
    const faults = [...ledger.faults, { rule: 'campaign', fact: reasonOf(thrown) }]
    return { summary: `broken off · seed ${seed}`, faults, directory }
  } finally {
    endAll()
    process.off('exit', endAll)
    await Promise.all([effects.close(), model.close()])
  }
}

async function leave(bot: BotProcess, ledger: Ledger): Promise<void> {
  bot.signal('SIGTERM')
  const how = await Promise.race([bot.ended, sleep(10_000, 'still there')])
  if (how !== 0) ledger.fault('ended', `told to stop, process ${bot.pid} ended so: ${how}`)
}

function complaintLines({ complaints }: Killed): string[] {
  const counts = Map.groupBy(complaints, (line) => line.replace(/(ses|turn|call|node)_\w+/g, '$1_…').slice(0, 200))
  return [...counts].map(([line, of]) => `logged ${of.length} times: ${line}`)
}
