import { setTimeout as sleep } from 'node:timers/promises'
import { patienceMs } from '../../support/until.ts'
import type { Killing } from '../killer.ts'
import type { NodesDatabase } from './database.ts'
import type { Gaps } from './gaps.ts'
import type { Node, Nodes } from './lives.ts'
import type { NodeTrouble } from './plan.ts'
import { holderOf, isAboutToPost, turnsOf } from './spy.ts'

export interface Troubled {
  nodes: Nodes
  database: NodesDatabase
  gaps: Gaps
  killing: Killing
}

type Of<Kind extends NodeTrouble['kind']> = Extract<NodeTrouble, { kind: Kind }>

const mostMs = 30_000
/** How long a broken connection may still be noticed, ms. */
const lingersMs = 15_000
/** How long to wait for a process to have something to do, ms. */
const busyMs = 5_000

export async function makeTrouble(trouble: NodeTrouble, troubled: Troubled): Promise<void> {
  const { nodes, killing } = troubled
  if (trouble.kind === 'moment' || trouble.kind === 'all') await killing.moment?.(trouble.what)
  await sleep(trouble.afterMs)
  await nodes.back()
  switch (trouble.kind) {
    case 'kill':
    case 'moment':
      return nodes.with(trouble.node, (node) => killed(node, troubled))
    case 'all':
      await Promise.all(nodes.all.map((node) => killed(node, troubled)))
      return
    case 'starting':
      return nodes.with(trouble.node, (node) => startKilled(node, trouble, troubled))
    case 'freeze':
      return nodes.with(trouble.node, (node) => freeze(node, trouble, troubled))
    case 'lost':
      return nodes.with(trouble.node, (node) => lose(node, trouble, troubled))
    case 'roll':
      for (const node of [...nodes.all]) await restart(node, troubled)
      return
    case 'server':
      return serverAway(trouble, troubled)
    case 'cut':
      return cutOff(trouble, troubled)
    case 'wiped':
      return repeatedly(trouble.times, troubled, wipe)
  }
}

/** It comes back at once. */
async function killed(node: Node, { nodes, gaps, database }: Troubled): Promise<void> {
  const holder = await holderOf(database, node.name)
  await nodes.kill(node)
  gaps.watch('a restart', holder)
  await nodes.start(node.name)
}

async function startKilled(node: Node, { lifeMs }: Of<'starting'>, { nodes }: Troubled): Promise<void> {
  await nodes.kill(node)
  const life = nodes.spawn(node.name)
  nodes.expect(life)
  await Promise.race([sleep(lifeMs), life.ended])
  life.signal('SIGKILL')
  await life.ended
  await nodes.start(node.name)
}

async function lose(node: Node, { awayMs }: Of<'lost'>, { nodes, gaps, database }: Troubled): Promise<void> {
  const holder = await holderOf(database, node.name)
  await nodes.kill(node)
  nodes.forget(node)
  gaps.watch('a lost process', holder)
  await sleep(awayMs)
  await nodes.start(nodes.newName())
}

async function restart(node: Node, { nodes, killing, database, gaps }: Troubled): Promise<void> {
  const holder = await holderOf(database, node.name)
  nodes.expect(node.bot)
  node.bot.signal('SIGTERM')
  const how = await Promise.race([node.bot.ended, sleep(patienceMs, 'still there')])
  if (how !== 0) killing.ledger.fault('ended', `told to stop, ${node.name} (process ${node.bot.pid}) ended so: ${how}`)
  if (how === 'still there') await nodes.kill(node)
  gaps.watch('a stop in order', holder)
  await nodes.start(node.name)
}

async function freeze(first: Node, { workMs, numb }: Of<'freeze'>, troubled: Troubled): Promise<void> {
  const { nodes, database, killing, gaps } = troubled
  let node = first
  if (numb) {
    // A process can only be made numb when it starts.
    await nodes.kill(node)
    node = await nodes.start(node.name, true)
    await sleep(workMs)
  }
  const { bot, name } = node
  nodes.expect(bot)
  const holder = await holderOf(database, name)
  if (holder !== undefined) await untilItWorks(troubled, holder)
  if (holder === undefined || !(await stopBetweenPosts(node, holder, troubled))) return killed(node, troubled)
  killing.keeper.lost(bot)
  gaps.watch('a freeze', holder)
  await untilTaken(troubled, name, holder)
  await sleep(workMs)
  killing.say(`${name} thaws`)
  bot.signal('SIGCONT')
  const how = await Promise.race([bot.ended, sleep(patienceMs, 'still there')])
  if (how !== 1)
    killing.ledger.fault('thawed', `${name} (process ${bot.pid}, ${holder}) was thawed and ended so: ${how}`)
  if (how === 'still there') await nodes.kill(node)
  await nodes.start(name)
}

/**
 * No fence can stop a post that was just going out from doing so at the thaw, after another process has posted. False when it is
 * always about to post.
 */
async function stopBetweenPosts({ bot }: Node, holder: string, { database }: Troubled): Promise<boolean> {
  for (const until = Date.now() + mostMs; Date.now() < until; await sleep(3)) {
    bot.signal('SIGSTOP')
    await sleep(5)
    if (!(await isAboutToPost(database, holder))) return true
    bot.signal('SIGCONT')
  }
  return false
}

/** Only what is in the middle of something can be caught. One that has just started may get nothing to do. */
async function untilItWorks({ database }: Troubled, holder: string): Promise<void> {
  for (const until = Date.now() + busyMs; Date.now() < until; await sleep(20)) {
    if ((await turnsOf(database, holder)) >= 3) return
  }
}

async function untilTaken({ database, killing }: Troubled, name: string, holder: string | undefined): Promise<void> {
  for (const until = Date.now() + patienceMs; Date.now() < until; await sleep(50)) {
    const now = await holderOf(database, name)
    if (now !== holder || holder === undefined) return
  }
  killing.ledger.fault('thawed', `${name} (${holder}) was frozen, and nobody took its work over`)
}

async function serverAway({ how, downMs }: Of<'server'>, { database, gaps, killing }: Troubled): Promise<void> {
  gaps.outage()
  killing.ledger.awayAt = Number.POSITIVE_INFINITY
  if (how === 'backend') {
    // The server then ends all others, and starts again by itself.
    const [row] = await database.stored.all<{ pid: number }>(
      `select pid from pg_stat_activity where application_name = 'bobbin' order by random() limit 1`,
    )
    if (row !== undefined) killUnlessGone(row.pid)
  } else {
    await database.cluster.end(how)
    await sleep(downMs)
    await database.cluster.start()
  }
  await database.run('select 1')
  gaps.outage()
  killing.ledger.awayAt = performance.now() + lingersMs
}

/** It may have had nothing to do for too long just now. */
function killUnlessGone(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code !== 'ESRCH') throw thrown
  }
}

/** People go on talking until that many commits have lost their answers. */
async function cutOff({ times, commits }: Of<'cut'>, troubled: Troubled): Promise<void> {
  const { ledger } = troubled.killing
  const swallowed = troubled.database.proxy.swallow(commits)
  ledger.awayAt = Number.POSITIVE_INFINITY
  await repeatedly(times, troubled, cut)
  await Promise.race([swallowed, sleep(lingersMs, undefined, { ref: false })])
  ledger.awayAt = performance.now() + lingersMs
}

const cut = `select pg_terminate_backend(pid) from pg_stat_activity
  where datname = current_database() and pid <> pg_backend_pid()`
const wipe = 'truncate bobbin_engine.job'

async function repeatedly(times: number, { database }: Troubled, statement: string): Promise<void> {
  for (let time = 0; time < times; time++) {
    await database.run(statement)
    await sleep(Math.random() * 200)
  }
}
