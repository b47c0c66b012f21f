import type { TurnId } from '../../domain/ids.ts'
import { openingOf } from '../../store/inbox.ts'
import { type InboxEvent, openingSaidAt } from '../../store/inbox-event.ts'
import type { Session } from '../../store/sessions.ts'
import type { Db } from '../../store/store.ts'
import { findTurn, openTurn } from '../../store/turns.ts'
import { turnsBehind } from '../../store/turns-behind.ts'
import type { Command } from '../../turn/port/command.ts'
import { nextOpening } from '../../turn/state/next-turn.ts'
import { stopTurn } from '../../turn/state/stop.ts'
import { turnOfMessage } from '../turn-of-message.ts'
import { inboundWords } from '../words.ts'

/** No stop is delivered later than this except after an outage, and no two clocks are further apart, ms. */
const surelyLateMs = 10 * 60_000

/** Stops what runs or is about to, unless that was surely asked after the stop, or it is about something answered. */
export const stop: Command = {
  name: 'stop',
  summary: inboundWords.stopSummary(),
  about: 'thread',
  run: async ({ session, person, turn, message, at, deps }) => ({
    async act(tx) {
      await tx.hold(session.id)
      const open = await openTurn(tx.db, session.id)
      if (turn !== undefined && open?.id !== turn) return inboundWords.alreadyOver()
      const opening = open === undefined ? await nextOpening(tx, session.id) : await openingOf(tx.db, open)
      if (opening !== undefined) {
        const running = open?.id ?? turnBehind(opening)
        const isLater = at !== undefined && (openingSaidAt(opening) ?? opening.at - surelyLateMs) > at
        const isOther = message !== undefined && (await isAnswered(tx.db, session, running, message))
        if (isLater || isOther) return inboundWords.alreadyOver()
      }
      if (!(await stopTurn(tx, session.id, person, deps.liveTexts, { at }))) return inboundWords.nothingToStop()
      tx.wakes(session.id, { interrupts: true })
      return inboundWords.stopped()
    },
  }),
}

/** The turn that it continues, or answers anew. */
const turnBehind = ({ payload }: InboxEvent): TurnId | undefined => ('turn' in payload ? payload.turn : undefined)

/** Whether a message belongs to a turn that has answered, and that what runs isn't about. */
async function isAnswered(db: Db, session: Session, running: TurnId | undefined, message: string): Promise<boolean> {
  const its = await turnOfMessage(db, session, message)
  if (its === undefined || (await findTurn(db, its))?.state !== 'done') return false
  return running === undefined || !(await turnsBehind(db, { session: session.id, turn: running })).includes(its)
}
