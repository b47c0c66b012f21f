import type { Elsewhere, Ground } from '../ground.ts'
import { type Killed, killAsPlanned } from '../killer.ts'
import { type Moment, planKills } from '../plan.ts'
import type { BotProcess } from '../process.ts'
import type { NodesDatabase } from './database.ts'
import { planTroubles } from './plan.ts'
import { troubleNodes } from './run.ts'
import { layNodesSpy } from './spy.ts'

/** Several processes share the work. */
export interface NodesOptions {
  count: number
  /** After this silence the others take over, ms. */
  silentMs: number
}

/** Where the bot is, and what its database is. */
export function placeOf(
  nodes: NodesOptions | undefined,
  database: NodesDatabase | undefined,
  environment: Record<string, string> = {},
): { environment: Record<string, string>; elsewhere?: Elsewhere } {
  if (nodes === undefined || database === undefined) return { environment }
  const { url, stored } = database
  return {
    environment: { ...environment, DATABASE_URL: url, BOBBIN_NODE: 'first' },
    elsewhere: { stored, laySpy: () => layNodesSpy(database), silentMs: nodes.silentMs },
  }
}

export interface Done {
  /** Those that run now. */
  bots(): BotProcess[]
  /** They are going to be told to stop. */
  endsAreExpected(): void
  killed: Killed
  plan: { kind: string }[]
}

interface Killings {
  seed: number
  kills: number
  freezes: number
  nodes?: NodesOptions | undefined
}

/** What a platform has besides the clock. */
interface Moments {
  all: readonly Moment[]
  /** Resolves when it happens, or after a long wait. */
  until(what: Moment): Promise<void>
}

/** Kills one process, or makes trouble for several. */
export async function kill(
  { seed, kills, freezes, nodes }: Killings,
  ground: Ground,
  database: NodesDatabase | undefined,
  moments?: Moments,
): Promise<Done> {
  const killing = moments === undefined ? ground : { ...ground, moment: moments.until }
  if (nodes === undefined || database === undefined) {
    const plan = planKills(seed, kills, freezes, moments?.all)
    const { bot, killed } = await killAsPlanned(plan, killing)
    return { bots: () => [bot], endsAreExpected: () => {}, killed, plan }
  }
  const plan = planTroubles(seed, { count: kills, freezes, nodes: nodes.count }, moments?.all ?? [])
  return { ...(await troubleNodes(plan, nodes.count, killing, database)), plan }
}
