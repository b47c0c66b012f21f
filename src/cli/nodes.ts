import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { type Config, databasePlace } from '../config/config.ts'
import { systemClock } from '../kit/clock.ts'
import { Failure, reasonOf } from '../kit/failure.ts'
import { locksOfNodes } from '../store/lock.ts'
import { drainNode, workOfNodes } from '../store/nodes.ts'
import { type NodeSeen, seeNodes } from '../store/see-nodes.ts'
import type { Store } from '../store/store.ts'
import { loadOrThrow } from './load.ts'
import { nodeLines } from './node-lines.ts'
import { openStore } from './open-store.ts'
import { UsageFault } from './usage.ts'
import { cliWords } from './words.ts'

const usage = 'Usage: nodes, nodes drain <name> [--wait].'
const lookAgainMs = 250

/** `nodes` lists the processes on the database and what they do; `nodes drain` takes one out of service. */
export async function nodesCommand(args: string[]): Promise<number> {
  const { action, name, wait } = parsed(args)
  const config = loadOrThrow()
  if (action === 'drain' && config.databaseUrl === undefined) throw aloneOnSqlite()
  const store = await openStore(databasePlace(config))
  try {
    return action === 'drain' ? await drain(store, config, name, wait) : await list(store, config)
  } finally {
    await store.close()
  }
}

const aloneOnSqlite = (): Failure =>
  new Failure('no_nodes', cliWords.drainNeedsServer(), cliWords.drainNeedsServerRemedy())

function parsed(args: string[]): { action: 'list' | 'drain'; name: string; wait: boolean } {
  let values: { wait: boolean }
  let positionals: string[]
  try {
    const options = { wait: { type: 'boolean', default: false } } as const
    ;({ values, positionals } = parseArgs({ args, options, allowPositionals: true }))
  } catch (thrown) {
    throw new UsageFault(reasonOf(thrown), usage)
  }
  const [action, name = '', ...more] = positionals
  if (action === undefined && !values.wait) return { action: 'list', name: '', wait: false }
  if (action !== 'drain') throw new UsageFault(cliWords.noSubcommand({ command: `nodes ${args.join(' ')}` }), usage)
  if (name === '' || more.length > 0) throw new UsageFault(cliWords.nodeNameMissing(), usage)
  return { action, name, wait: values.wait }
}

async function seen({ db }: Store, { engine }: Config): Promise<NodeSeen[]> {
  return seeNodes(await locksOfNodes(db), engine.silentMs, () => locksOfNodes(db))
}

async function list(store: Store, config: Config): Promise<number> {
  const nodes = await seen(store, config)
  const work = await workOfNodes(
    store.db,
    nodes.map(({ holder }) => holder),
  )
  const lines = nodes.flatMap((node) => nodeLines(node, work.get(node.holder), systemClock.now()))
  process.stdout.write(lines.length === 0 ? `${cliWords.noNodes()}\n` : `${lines.join('\n')}\n`)
  return 0
}

async function drain(store: Store, config: Config, name: string, wait: boolean): Promise<number> {
  const nodes = await seen(store, config)
  const beating = new Set(nodes.flatMap(({ holder, pulse }) => (pulse === 'beats' ? holder : [])))
  const outcome = await drainNode(store, name, beating)
  if (outcome === 'unknown') {
    const fact = cliWords.noSuchNode({ name: JSON.stringify(name) })
    throw new Failure('not_found', fact, '`bobbin nodes` lists them.')
  }
  if (outcome === 'last') {
    const fact = `${name} is the only bot at work, so nobody could take over.`
    throw new Failure('last_node', fact, cliWords.lastNodeRemedy())
  }
  const node = nodes.find((one) => one.name === name)
  if (wait) await untilDrained(store, node?.holder)
  process.stdout.write(
    wait
      ? `${name} is drained.\n`
      : `${name} is draining: it takes nothing new and leaves its work to the others. \`bobbin nodes\` shows when it is drained.\n`,
  )
  return 0
}

/** Or until it has ended. */
async function untilDrained({ db }: Store, holder: string | undefined): Promise<void> {
  const isAtWork = async () =>
    (await locksOfNodes(db)).some((lock) => lock.holder === holder && lock.state !== 'drained')
  while (await isAtWork()) await sleep(lookAgainMs)
}
