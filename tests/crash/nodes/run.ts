import type { Killed, Killing } from '../killer.ts'
import type { BotProcess } from '../process.ts'
import type { NodesDatabase } from './database.ts'
import { Gaps } from './gaps.ts'
import { Nodes } from './lives.ts'
import type { NodeTrouble } from './plan.ts'
import { makeTrouble } from './troubles.ts'

/** Starts the processes, makes trouble as planned, and leaves all of them running at the end. */
export async function troubleNodes(
  plan: NodeTrouble[],
  count: number,
  killing: Killing,
  database: NodesDatabase,
): Promise<{ bots: () => BotProcess[]; endsAreExpected: () => void; killed: Killed }> {
  const killed: Killed = { complaints: [], frozen: 0, inTransaction: 0 }
  const nodes = new Nodes(killing, killed.complaints)
  const gaps = new Gaps(database)
  await Promise.all(Array.from({ length: count }, () => nodes.start(nodes.newName())))
  for (const [at, trouble] of plan.entries()) {
    killing.say(`trouble ${at + 1} of ${plan.length}: ${JSON.stringify(trouble)}`)
    await makeTrouble(trouble, { nodes, database, gaps, killing })
    if (trouble.kind === 'freeze') killed.frozen++
  }
  await nodes.back()
  for (const line of await gaps.lines()) killing.say(line)
  if (nodes.replaced > 0) killing.say(`replaced although nothing had happened to them: ${nodes.replaced}`)
  const bots = () => nodes.all.map(({ bot }) => bot)
  return { bots, endsAreExpected: () => bots().forEach((bot) => void nodes.expect(bot)), killed }
}
