import type { Killed, Killing } from '../killer.ts'
import type { BotProcess } from '../process.ts'
import type { NodesDatabase } from './database.ts'
import { Gaps } from './gaps.ts'
import { Nodes } from './lives.ts'
import type { NodeTrouble } from './plan.ts'
import { makeTrouble } from './troubles.ts'

/** It can't be told from what happens to a frozen process. */
const isForAll = ({ kind }: NodeTrouble): boolean => kind === 'all' || kind === 'roll' || kind === 'server'

/**
 * Starts the processes, makes trouble as planned, and leaves all of them running at the end. To freeze one takes long, so
 * other things happen to the others meanwhile.
 */
export async function troubleNodes(
  plan: NodeTrouble[],
  count: number,
  killing: Killing,
  database: NodesDatabase,
): Promise<{ bots: () => BotProcess[]; endsAreExpected: () => void; killed: Killed }> {
  const killed: Killed = { complaints: [], frozen: 0, inTransaction: 0 }
  const nodes = new Nodes(killing, killed.complaints)
  const begun = performance.now()
  const since = () => `${Math.round((performance.now() - begun) / 1_000)} s`
  const gaps = new Gaps(database)
  await Promise.all(Array.from({ length: count }, () => nodes.start(nodes.newName())))
  let frozen = Promise.resolve()
  for (const [at, trouble] of plan.entries()) {
    killing.say(`trouble ${at + 1} of ${plan.length}, after ${since()}: ${JSON.stringify(trouble)}`)
    if (isForAll(trouble) || trouble.kind === 'freeze') await frozen
    const made = makeTrouble(trouble, { nodes, database, gaps, killing })
    if (trouble.kind === 'freeze') {
      killed.frozen++
      frozen = made
      // It is waited for below.
      frozen.catch(() => {})
    } else await made
  }
  await frozen
  await nodes.back()
  for (const line of await gaps.lines()) killing.say(line)
  if (nodes.replaced > 0) killing.say(`replaced although nothing had happened to them: ${nodes.replaced}`)
  const bots = () => nodes.all.map(({ bot }) => bot)
  return { bots, endsAreExpected: () => bots().forEach((bot) => void nodes.expect(bot)), killed }
}
