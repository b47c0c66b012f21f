import type { Engine } from '../domain/engine.ts'
import { type EmbeddedOptions, embeddedEngine } from '../engine/embedded.ts'
import { lostLeases } from '../store/hold-session.ts'
import { lostWakes, wakesTakenBy } from '../store/wakes.ts'
import type { Foundation } from './foundation.ts'

export interface OpenEngine {
  engine: Engine
  /** Continues at once what processes did that are gone. */
  takeOver(): Promise<void>
  /** Begins nothing new; what runs is left to other processes. */
  letGo(): Promise<void>
}

/** In this process alone, or shared with others over PostgreSQL. */
export async function openEngine(foundation: Foundation, options: EmbeddedOptions): Promise<OpenEngine> {
  const opened = await open(foundation, options)
  foundation.store.whenWoken((session, interrupts) => {
    if (interrupts) opened.engine.interrupt(session)
    opened.engine.wake(session)
  })
  return opened
}

async function open({ store, lock }: Foundation, options: EmbeddedOptions): Promise<OpenEngine> {
  const { wire, server } = store
  if (wire === undefined || server === undefined) {
    const nobodyElse = async () => {}
    return { engine: embeddedEngine(options), takeOver: nobodyElse, letGo: nobodyElse }
  }
  const { BossEngine } = await import('../engine/boss.ts')
  const engine = new BossEngine({
    ...options,
    server,
    holder: lock.holder,
    lostWakes: () => lostWakes(store.db),
    ownWakes: () => wakesTakenBy(store.db, lock.holder),
    lost: (leases) => lostLeases(store.db, leases),
    interruptElsewhere: (session) => wire.tell('interrupt', session),
    wakeElsewhere: () => wire.tell('wake', null),
  })
  wire.hear('interrupt', (session) => engine.interruptHere(session))
  wire.hear('wake', () => engine.lookNow())
  return { engine, takeOver: () => engine.sweep(), letGo: () => engine.letGo() }
}
