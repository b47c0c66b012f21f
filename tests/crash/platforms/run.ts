import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { reasonOf } from '../../../src/kit/failure.ts'
import { patienceMs } from '../../support/until.ts'
import { checkApi } from '../check/api.ts'
import { readRows } from '../check/rows.ts'
import { complaintLines, conclude, layTables, leave, type Outcome, openGround } from '../ground.ts'
import { openNodesDatabase } from '../nodes/database.ts'
import { kill, placeOf } from '../nodes/shared.ts'
import type { Moment } from '../plan.ts'
import { untilQuiet } from '../quiet.ts'
import type { CampaignOptions } from '../run.ts'
import type { Stored } from '../stored.ts'
import { Account, placeKey } from './account.ts'
import { checkPlatform } from './check/check.ts'
import { tokenOfKey } from './check/received.ts'
import { click } from './clicks.ts'
import { openDiscordStage } from './discord-stage.ts'
import { reportPlatform } from './report.ts'
import { openSlackStage } from './slack-stage.ts'
import type { Stage } from './stage.ts'
import { type Crowd, greet, talk } from './talk.ts'
import { trouble } from './troubles.ts'

export type PlatformOptions = CampaignOptions & {
  platform: Stage['name']
  /** Only the kills go wrong. */
  calm: boolean
}

/** Progress is shown sooner than usual, so that kills hit it. */
const config = { show: { first_ms: 150, every_ms: 500 } }

/** A failed post is retried within a minute, and missed messages are read back slowly. */
const quietMs = (kills: number): number => 300_000 + kills * 1_000
/** Without writes for this long, the bot counts as idle. */
const restMs = 1_500
/** The longest wait for a moment to kill at, ms. */
const momentMs = 6_000

const open = ({ platform, nodes }: PlatformOptions): Promise<Stage> =>
  platform === 'slack' ? openSlackStage() : openDiscordStage(nodes?.count)

/** Runs one campaign on a chat platform, from an empty directory to a verdict. */
export async function runPlatformCampaign(options: PlatformOptions): Promise<Outcome> {
  const { seed, say } = options
  const begun = performance.now()
  const stage = await open(options)
  const database = options.nodes && (await openNodesDatabase())
  const ground = await openGround({ ...options, config, ...placeOf(options.nodes, database, stage.environment) })
  const { directory, stored, workspaceDir, ledger, effects, model } = ground
  const account = new Account(ledger)
  ledger.hasServer = database !== undefined
  try {
    const ending = new AbortController()
    const ended = new AbortController()
    const calming = new AbortController()
    const crowd: Crowd = { seed, stage, account, atOnce: options.conversations, ending: ending.signal, rooms: [] }
    await layTables(ground, () => greet(crowd))
    const talking = talk(crowd)
    const clicking = click(crowd, ended.signal)
    const troubling = options.calm ? undefined : trouble(seed, stage, account, calming.signal)
    const { bots, endsAreExpected, killed, plan } = await kill(options, ground, database, {
      all: stage.moments,
      until: (what) => untilHappened(stage, what),
    })
    // On a busy machine, the kills may be over before people have done everything. They do the rest in peace.
    calming.abort()
    say('people do the rest')
    for (let waited = 0; neverDone(account).length > 0 && waited < patienceMs; waited += 100) await sleep(100)
    ending.abort()
    say('it comes to rest')
    await Promise.all([talking, troubling])
    await stage.calm()
    say('it is calm')
    const mostMs = quietMs(options.kills)
    const left = await untilQuiet(stored, mostMs, () => unfinished(stored, stage, account), say)
    if (left !== '') ledger.fault('quiet', `for ${mostMs} ms there have been ${left}`)
    ended.abort()
    await clicking
    say('it is checked')
    for (const bot of bots()) await checkApi(await bot.ready, stored, ledger)
    endsAreExpected()
    for (const bot of bots()) await leave(bot, ledger)
    for (const violation of model.violations) ledger.fault('history', violation)
    for (const violation of stage.violations) ledger.fault('violation', violation)

    for (const what of neverDone(account)) ledger.fault('never happened', `in this campaign nobody ${what}`)
    const evidence = {
      rows: await readRows(stored),
      account,
      stage,
      effects: effects.arrived,
      workspaceDir,
      outages: database !== undefined,
    }
    const faults = [...checkPlatform(evidence), ...ledger.faults]
    const summary = reportPlatform({ ...evidence, plan, faults, seed, tookMs: performance.now() - begun })
    for (const line of complaintLines(killed)) say(line)
    await writeFile(join(directory, 'rows.json'), JSON.stringify({ ...evidence.rows, asked: stage.calls() }, null, 1))
    return await conclude(ground, options.keep, { summary, faults })
  } catch (thrown) {
    // For example a bot that doesn't start; the log in the directory says why.
    const faults = [...ledger.faults, { rule: 'campaign', fact: reasonOf(thrown) }]
    return conclude(ground, options.keep, { summary: `broken off · seed ${seed}`, faults })
  } finally {
    await ground.close()
    await stage.close()
    await database?.close()
  }
}

async function untilHappened(stage: Stage, what: Moment): Promise<void> {
  const since = Date.now()
  while (!stage.happened(what, since) && Date.now() - since < momentMs) await sleep(3)
}

/** What every campaign has to try. */
function neverDone({ told, stopped, pressed }: Account): string[] {
  const messages = [...told.values()]
  const counts = {
    'edited a message': messages.filter(({ edited }) => edited).length,
    'took a message back': messages.filter(({ removed }) => removed).length,
    'stopped a turn': stopped.length,
    'answered a card': pressed.length,
    'sent a file': messages.filter(({ uploads }) => uploads.length > 0).length,
  }
  return Object.entries(counts).flatMap(([what, count]) => (count === 0 ? [what] : []))
}

/** What people still wait for, apart from the database rows. */
async function unfinished(stored: Stored, stage: Stage, { told }: Account): Promise<string[]> {
  const token = tokenOfKey([...told.values()])
  const keys = await stored.all<{ dedup_key: string }>('select dedup_key from inbox')
  const heard = new Set(keys.flatMap(({ dedup_key }) => token(dedup_key) ?? []))
  const unheard = [...told.values()].filter((one) => !one.removed && !heard.has(one.token))
  const places = new Map([...told.values()].map(({ place }) => [placeKey(place), place]))
  // A request that failed is repeated after a pause without writes.
  const leftovers = [...places.values()].flatMap((place) => stage.leftovers(place))
  return [
    `${unheard.length} messages unheard`,
    `${leftovers.length} threads at work`,
    `${Date.now() - stage.writes() < restMs ? 1 : 0} calls under way`,
  ]
}
