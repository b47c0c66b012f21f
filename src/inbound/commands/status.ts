import { sizeWords } from '../../kit/text/shown.ts'
import { pendingAlarms } from '../../store/alarms.ts'
import { pendingRequests } from '../../store/requests.ts'
import type { Session } from '../../store/sessions.ts'
import { countTurns, lastTurn, type StoredTurn, tokensOf } from '../../store/turns.ts'
import { type Command, counted, modelOf, shortId } from '../../turn/command.ts'
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
      `**This thread** \`${shortId(session)}\` – ${turn ? stateWords[turn.state] : 'nothing asked yet'}`,
      `- Messages: ${session.messages} in ${counted(turns.get(session.id) ?? 0, 'turn')}`,
      `- Model: ${model.name}${slot === 'base' ? '' : ` (${slot})`}, ${tokens.input.toLocaleString('en')} tokens in, ${tokens.output.toLocaleString('en')} out`,
      ...lines.map((line) => `- ${line}`),
      `- Files: ${files.length === 0 ? 'none' : `${files.length} (${sizeWords(bytes)}${roomWords(limits.bytes)})`}`,
      `- Waiting: ${requests.length} for an answer, ${counted(alarms.length, 'alarm')}`,
    ].join('\n')
  },
})

const stateWords: Record<StoredTurn['state'], string> = {
  running: 'working',
  waiting: 'waiting for an answer',
  done: 'answered',
  failed: 'the last turn failed; `retry` tries again',
  stopped: 'the last turn was stopped',
}

const roomWords = (bytes: number): string => (bytes === Number.MAX_SAFE_INTEGER ? '' : ` of ${sizeWords(bytes)}`)
