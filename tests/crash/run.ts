import { setTimeout as sleep } from 'node:timers/promises'
import { reasonOf } from '../../src/kit/failure.ts'
import { patienceMs } from '../support/until.ts'
import { checkApi } from './check/api.ts'
import { check } from './check/check.ts'
import { readRows, receivedAtConsole } from './check/rows.ts'
import { talk } from './clients.ts'
import { complaintLines, conclude, type Ground, layTables, leave, type Outcome, openGround } from './ground.ts'
import type { Mutant } from './mutants.ts'
import { openNodesDatabase } from './nodes/database.ts'
import { kill, type NodesOptions, placeOf } from './nodes/shared.ts'
import { click } from './people.ts'
import { untilQuiet } from './quiet.ts'
import { report } from './report.ts'

export interface CampaignOptions {
  seed: number
  kills: number
  freezes: number
  /** Several processes share the work. */
  nodes?: NodesOptions | undefined
  /** Conversations at the same time. */
  conversations: number
  without: Mutant | undefined
  /** Keeps the directory. */
  keep: boolean
  say(line: string): void
}

/** With several processes, what was begun when the server went away is tried again within a minute. */
const quietMs = ({ nodes, kills }: CampaignOptions): number => 300_000 + (nodes === undefined ? 0 : kills * 1_000)

/** Runs one campaign on the console, from an empty directory to a verdict. */
export async function runCampaign(options: CampaignOptions): Promise<Outcome> {
  const { seed, say } = options
  const begun = performance.now()
  const database = options.nodes && (await openNodesDatabase())
  const ground = await openGround({ ...options, ...placeOf(options.nodes, database) })
  const { stored, workspaceDir, keeper, ledger, effects, model } = ground
  ledger.hasServer = database !== undefined

  try {
    await layTables(ground)
    const ending = new AbortController()
    const ended = new AbortController()
    const talking = talk({ seed, atOnce: options.conversations, keeper, ledger, ending: ending.signal })
    const clicking = click({ seed, keeper, ledger, ended: ended.signal })
    const { bots, endsAreExpected, killed, plan } = await kill(options, ground, database)
    // On a busy machine, the kills may be over before people have done everything. They do the rest in peace.
    say('people do the rest')
    for (let waited = 0; (await neverDone(ground)).length > 0 && waited < patienceMs; waited += 100) await sleep(100)
    ending.abort()
    await Promise.race([talking, sleep(30_000, undefined, { ref: false })])
    const mostMs = quietMs(options)
    say('it comes to rest')
    const left = await untilQuiet(stored, mostMs, undefined, say)
    if (left !== '') ledger.fault('quiet', `for ${mostMs} ms there have been ${left}`)
    ended.abort()
    await clicking
    say('it is checked')
    for (const bot of bots()) await checkApi(await bot.ready, stored, ledger)
    endsAreExpected()
    for (const bot of bots()) await leave(bot, ledger)
    for (const violation of model.violations) ledger.fault('history', violation)

    for (const what of await neverDone(ground)) ledger.fault('never happened', `in this campaign nobody ${what}`)
    const rows = await readRows(stored)
    const evidence = { rows, received: receivedAtConsole(rows), ledger, effects: effects.arrived }
    const faults = [...ledger.faults, ...check({ ...evidence, workspaceDir })]
    const summary = report({ ...evidence, killed, plan, faults, seed, tookMs: performance.now() - begun })
    for (const line of complaintLines(killed)) say(line)
    return await conclude(ground, options.keep, { summary, faults })
  } catch (thrown) {
    // For example a bot that doesn't start; the log in the directory says why.
    const faults = [...ledger.faults, { rule: 'campaign', fact: reasonOf(thrown) }]
    return conclude(ground, options.keep, { summary: `broken off · seed ${seed}`, faults })
  } finally {
    await ground.close()
    await database?.close()
  }
}

/** What every campaign has to try. */
async function neverDone({ stored, ledger, effects }: Ground): Promise<string[]> {
  const countOf = async (table: string): Promise<number> =>
    (await stored.all<{ count: number }>(`select count(*) as count from ${table}`))[0]?.count ?? 0
  const did = {
    'answered a card': ledger.given.length,
    'stopped a turn': ledger.stops.size,
    'sent a file': await countOf('files'),
    'set an alarm': await countOf('alarms'),
    'did anything outside': effects.arrived.length,
  }
  return Object.entries(did).flatMap(([what, count]) => (count === 0 ? [what] : []))
}
