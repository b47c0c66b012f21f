import { setTimeout as sleep } from 'node:timers/promises'
import type { SessionId } from '../domain/ids.ts'
import type { Failure, Unavailable } from '../kit/failure.ts'
import { asUnavailable } from '../kit/unavailable.ts'
import { openCalls } from '../store/calls.ts'
import { appendEvents } from '../store/events.ts'
import { holdInbox } from '../store/hold-inbox.ts'
import { isAmongPeople } from '../store/inbox.ts'
import { LeaseLost } from '../store/lease-lost.ts'
import { endsAsAtLastRing } from '../store/rings.ts'
import { findSession, type Session } from '../store/sessions.ts'
import type { Lease } from '../store/store.ts'
import { openTurn, type StoredTurn, stateBefore } from '../store/turns.ts'
import { explain } from './ask/explain.ts'
import { runTurn } from './loop.ts'
import type { Left } from './port/moments.ts'
import { openAtOnce } from './read/open-at-once.ts'
import { closeOpen } from './state/close-open.ts'
import { endTurn } from './state/end-turn.ts'
import { acquireTurn, isWork, lookForWork, nextTurn } from './state/next-turn.ts'
import type { TurnServices } from './state/services.ts'
import { tookProcessDown } from './state/suspects.ts'
import { Turn } from './state/turn.ts'
import { startPosting } from './state/unfinished-outputs.ts'

/** How a turn was left, and whether it is known that nothing has arrived since. */
interface Leaving {
  how: Left
  code?: string
  nothing?: boolean
}

/** Runs a session until there is nothing left to do, or it waits for a person. The engine calls this. */
export async function runSession(
  id: SessionId,
  signal: AbortSignal,
  bot: TurnServices,
  took: (epoch: number) => void = () => {},
): Promise<void> {
  const { store, engine } = bot
  let session = await findSession(store.db, id)
  if (session === undefined) return
  bot.outages.know(session)
  let leaveSuspects = () => {}
  try {
    const work = await lookForWork(store.db, id)
    if (!isWork(work)) return
    const { open } = work
    // This process may see the turn before it learns that the process that ran it is gone.
    if (open?.state === 'running') bot.formerCalls.again()
    // Before the session is taken: if the process dies during this wait, this turn isn't to blame.
    leaveSuspects = await bot.suspects.enter(open, AbortSignal.any([signal, engine.leaving]))
    let ready =
      open === undefined ? await openAtOnce(session, work, { signal, pastCrash: leaveSuspects }, bot) : undefined
    const acquired = ready ? { lease: ready.lease, turn: ready.row } : await acquireTurn(store, id, bot.holder)
    const { lease } = acquired
    took(lease.epoch)
    let waits = 0
    for (let { turn }: { turn?: StoredTurn } = acquired; turn !== undefined && !engine.leaving.aborted; ) {
      const showing = bot.presenter.follow(session, turn, lease)
      const place = { session: id, turn: turn.id }
      bot.capabilities.see({ kind: 'taken', platform: session.thread.platform, steps: turn.steps }, place)
      let left: Leaving = { how: 'interrupted' }
      try {
        if (turn.deaths >= bot.config.engine.crashesAtStep) throw await crashOf(turn, bot)
        ready ??= await Turn.open({ session, row: turn, lease, signal, pastCrash: leaveSuspects }, bot)
        left = { how: await runTurn(ready), nothing: ready.journal.leftNothing }
      } catch (thrown) {
        if (thrown instanceof LeaseLost || signal.aborted || engine.leaving.aborted) throw thrown
        const fault = asUnavailable(thrown)
        if (fault?.passes) await waitFor(fault, waits++, session, signal, bot)
        else {
          bot.report('a turn failed', { session: id })(thrown)
          left = { how: 'failed', code: explain(thrown).code }
          await failTurn(session, lease, turn, thrown, bot)
        }
      } finally {
        bot.capabilities.see({ kind: 'left', how: left.how, code: left.code }, place)
        await (left.how === 'waiting' ? showing.rest() : showing.end())
        bot.textStream.leave(lease)
        bot.outputStream.leave(lease)
        ready = undefined
      }
      // Anything that arrived since has woken the session, so it runs again.
      if (left.nothing) return
      turn = isWork(await lookForWork(store.db, id)) ? await nextTurn(store, lease) : undefined
      // The turn before may have changed it: who works on what, its mode, its model.
      if (turn !== undefined) session = (await findSession(store.db, id)) ?? session
    }
  } catch (thrown) {
    // Another process has the session, a stop has fenced us off, or we are leaving. The next run continues from the
    // rows.
    if (!(thrown instanceof LeaseLost) && !signal.aborted && !engine.leaving.aborted) throw thrown
  } finally {
    leaveSuspects()
    bot.statuses.delete(id)
  }
}

async function crashOf(turn: StoredTurn, { store }: TurnServices): Promise<Failure> {
  const calls = await openCalls(store.db, turn.id)
  return tookProcessDown(
    turn,
    calls.filter(({ state }) => state === 'started').map(({ name }) => name),
  )
}

const longestWaitMs = 5_000

/** The turn stays open and later continues from its rows. */
async function waitFor(
  fault: Unavailable,
  waits: number,
  session: Session,
  signal: AbortSignal,
  { engine, outages, report }: TurnServices,
): Promise<void> {
  report('a turn waits', { session: session.id })(fault)
  outages.tell(session.thread, fault)
  const until = AbortSignal.any([signal, engine.leaving])
  await sleep(Math.min(longestWaitMs, 100 * 2 ** Math.min(waits, 6)) * (0.5 + Math.random()), undefined, {
    signal: until,
  })
}

/** An error in a turn ends that turn with a message in the thread; the bot keeps running. */
async function failTurn(
  session: Session,
  lease: Lease,
  turn: StoredTurn,
  thrown: unknown,
  { store, textStream, platforms }: TurnServices,
): Promise<void> {
  const ending = { state: 'failed' as const, ...explain(thrown) }
  const isPosted = platforms.get(session.thread.platform)?.progress === 'posted'
  const ended = textStream.end(lease, { text: '', discarded: true })
  await store.fenced(lease, async (tx) => {
    // Its end may have been stored before the connection broke.
    const now = await openTurn(tx.db, turn.session)
    if (now?.id !== turn.id) return
    await appendEvents(tx, turn.session, ended)
    await closeOpen(tx, turn, 'something went wrong inside Bobbin')
    await holdInbox(tx, turn.session, turn.id, { which: 'opening' })
    // In an outage, people who are talking to each other hear of it once, and so do those with an alarm that repeats,
    // unless the bot has begun to work for them.
    const isToldAlready =
      now.steps === 0 &&
      ((await endsAsAtLastRing(tx.db, turn, 'failed')) ||
        ((await isAmongPeople(tx.db, turn.session, turn.id)) && (await stateBefore(tx.db, turn)) === 'failed'))
    await endTurn(tx, { ...turn, isPosted, home: session }, { ...ending, isToldAlready })
    if (session.parent === undefined) await startPosting(tx, now)
  })
}
