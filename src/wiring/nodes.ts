import type { Config } from '../config/config.ts'
import { SharedDuty } from '../engine/duty.ts'
import { type Looking, lookOften } from '../engine/look-often.ts'
import { type NodesSeen, watchNodes } from '../engine/watch-nodes.ts'
import type { Jobs } from '../jobs/jobs.ts'
import type { FormerCalls } from '../outbound/former-calls.ts'
import type { Presenter } from '../outbound/presenter.ts'
import type { Others } from '../platforms/platform.ts'
import { releaseAttempts } from '../store/outbox.ts'
import type { Workspaces } from '../workspace/workspaces.ts'
import type { OpenEngine } from './engine.ts'
import type { Foundation } from './foundation.ts'

/** How often to check whether the other processes are there, ms. */
const lookMs = 500

/** How often to ask the database for the time, ms. A clock that runs a little fast or slow is hardly off by then. */
const timeMs = 10_000

type SharedDeps = Pick<Foundation, 'store' | 'report'> & { lock: Pick<Foundation['lock'], 'holder'> }

/** What this process shares with others. */
export class Shared implements Others {
  readonly #foundation: SharedDeps
  readonly #duties: SharedDuty[] = []
  readonly #told: (() => void)[] = []

  constructor(foundation: SharedDeps) {
    this.#foundation = foundation
  }

  duty(name: string): SharedDuty {
    const { store, lock, report } = this.#foundation
    const duty = new SharedDuty(store, name, lock.holder, report('a duty could not be looked after', { duty: name }))
    this.#duties.push(duty)
    return duty
  }

  whenGone(tell: () => void): void {
    this.#told.push(tell)
  }

  /** Another process is gone. At once, because a turn that is taken over asks whether something was missed. */
  doubt(): void {
    for (const duty of this.#duties) duty.doubt()
    for (const tell of this.#told) tell()
  }

  /** This process may have to do what another one did. */
  gone(): Promise<unknown> {
    return Promise.all(this.#duties.map((duty) => duty.look()))
  }

  /** This process is about to end: others do it from now on. */
  leave(): Promise<unknown> {
    return Promise.all(this.#duties.map((duty) => duty.leave()))
  }
}

interface Parts extends Pick<OpenEngine, 'takeOver'> {
  formerCalls: Pick<FormerCalls, 'again'>
  bot: { presenter: Pick<Presenter, 'takeOver'> }
  nodes: NodesSeen
  jobs: Pick<Jobs, 'takeOver'>
  workspaces: Pick<Workspaces, 'sweep'>
  shared: Pick<Shared, 'doubt' | 'gone'> | undefined
  drain(): void
}

/** Watches the other processes on the database, and continues the work of one that is gone or drained. */
export function lookAfterNodes(
  {
    config,
    store,
    lock,
    report,
    followTime,
  }: Pick<Foundation, 'store' | 'report' | 'followTime'> & {
    config: Pick<Config, 'node'>
    lock: Pick<Foundation['lock'], 'holder'>
  },
  { formerCalls, bot, takeOver, nodes, jobs, workspaces, shared, drain }: Parts,
): Looking[] {
  if (config.node === undefined) return []
  const gone = async () => {
    formerCalls.again()
    shared?.doubt()
    await releaseAttempts(store)
    await takeOver()
    await bot.presenter.takeOver()
    await jobs.takeOver()
    await shared?.gone()
    // What can't be removed stays for the next cleaning. It is no reason to take everything over again.
    await workspaces.sweep().catch(report('removals could not be completed'))
  }
  const look = watchNodes(store, lock.holder, nodes, { gone, drain })
  const looking = lookOften(lookMs, look, report('other processes could not be looked for'))
  // A process that starts says so, and the others continue what it was doing when it ended.
  store.wire?.hear('node', looking.now)
  return [looking, lookOften(timeMs, followTime, report('the database could not be asked for the time'))]
}
