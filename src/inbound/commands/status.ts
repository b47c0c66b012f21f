import { sizeWords } from '../../kit/text/shown.ts'
import { pendingAlarms } from '../../store/alarms.ts'
import { pendingRequests } from '../../store/list-requests.ts'
import type { Session } from '../../store/sessions.ts'
import { countTurns, lastTurn, type StoredTurn, tokensOf } from '../../store/turns.ts'
import { type Command, modelOf, shortId } from '../../turn/port/command.ts'
import { filesIn } from '../../workspace/thread-files.ts'
import { inboundWords } from '../words.ts'

/** What capabilities say about a thread, in lines. */
export type Standing = (session: Session) => Promise<readonly string[]>

export const statusWith = (standing: Standing): Command => ({
  name: 'status',
  summary: inboundWords.statusSummary(),
  about: 'thread',
  async run({ session, deps }) {
    const { db } = deps.store
    const workspace = await deps.workspaces.open(session)
    const [turns, turn, requests, alarms, files, tokens, lines, { limits }] = await Promise.all([
      countTurns(db, [session.id]),
      lastTurn(db, session.id),
      pendingRequests(db, session.id),
      pendingAlarms(db, session.id),
      Array.fromAsync(filesIn(workspace)),
      tokensOf(db, session.id),
      standing(session),
      workspace.usage(),
    ])
    const bytes = files.reduce((sum, { size }) => sum + size, 0)
    const { model, slot } = modelOf(session, deps)
    return [
      inboundWords.thisThread({
        id: shortId(session),
        state: turn ? states[turn.state]() : inboundWords.nothingAsked(),
      }),
      ...[
        inboundWords.messages({ messages: session.messages, turns: turns.get(session.id) ?? 0 }),
        inboundWords.tokens({ model: slot === 'base' ? model.name : `${model.name} (${slot})`, ...tokens }),
        ...lines,
        filesLine(files.length, bytes, limits.bytes),
        inboundWords.waiting({ requests: requests.length, alarms: alarms.length }),
      ].map((line) => `- ${line}`),
    ].join('\n')
  },
})

const states: Record<StoredTurn['state'], () => string> = {
  running: inboundWords.working,
  waiting: inboundWords.turnWaiting,
  done: inboundWords.answered,
  failed: inboundWords.lastFailed,
  stopped: inboundWords.lastStopped,
}

function filesLine(count: number, bytes: number, room: number): string {
  const about = { count, size: sizeWords(bytes) }
  if (count === 0) return inboundWords.noFiles()
  return room === Number.MAX_SAFE_INTEGER
    ? inboundWords.files(about)
    : inboundWords.filesOf({ ...about, room: sizeWords(room) })
}
