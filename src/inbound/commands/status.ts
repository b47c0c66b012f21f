import type { RequestSize } from '../../domain/messages.ts'
import { sizeWords } from '../../kit/text/shown.ts'
import { pendingAlarms } from '../../store/alarms.ts'
import { latestRequest } from '../../store/messages.ts'
import { pendingRequests } from '../../store/requests.ts'
import { countTurns, lastTurn, type StoredTurn, tokensOf } from '../../store/turns.ts'
import { type Command, counted, modelOf, type NamedModel, shortId } from '../../turn/command.ts'
import { filesIn } from '../../workspace/thread-files.ts'

export const status: Command = {
  name: 'status',
  summary: 'this thread’s status: messages, context, cost, files, what waits',
  about: 'thread',
  async run({ session, deps }) {
    const { db } = deps.store
    const workspace = await deps.workspaces.open(session)
    const [turns, turn, requests, alarms, files, request, tokens, { limits }] = await Promise.all([
      countTurns(db, [session.id]),
      lastTurn(db, session.id),
      pendingRequests(db, session.id),
      pendingAlarms(db, session.id),
      Array.fromAsync(filesIn(workspace)),
      latestRequest(db, session.id, session.historyFrom),
      tokensOf(db, session.id),
      workspace.usage(),
    ])
    const bytes = files.reduce((sum, { size }) => sum + size, 0)
    const { model, price, slot } = modelOf(session, deps)
    return [
      `**This thread** \`${shortId(session)}\` – ${turn ? stateWords[turn.state] : 'nothing asked yet'}`,
      `- Messages: ${session.messages} in ${counted(turns.get(session.id) ?? 0, 'turn')}`,
      `- Context: ${contextWords(request, model.contextLimit)}; \`context\` says what it is made of`,
      `- Model: ${model.name}${slot === 'base' ? '' : ` (${slot})`}, ${tokens.input.toLocaleString('en')} tokens in, ${tokens.output.toLocaleString('en')} out${costWords(tokens, price)}`,
      `- Files: ${files.length === 0 ? 'none' : `${files.length} (${sizeWords(bytes)}${roomWords(limits.bytes)})`}`,
      `- Waiting: ${requests.length} for an answer, ${counted(alarms.length, 'alarm')}`,
    ].join('\n')
  },
}

/** What the latest request had, by the provider's count if there is one. */
function contextWords(request: RequestSize | undefined, limit: number): string {
  if (request === undefined) return `nothing of ${limit.toLocaleString('en')} tokens yet`
  const { tokens, estimate } = request
  const used = tokens ?? estimate
  const share = Math.round((used / limit) * 100)
  const about = tokens === undefined ? 'about ' : ''
  return `${about}${used.toLocaleString('en')} of ${limit.toLocaleString('en')} tokens (${share} %)`
}

const stateWords: Record<StoredTurn['state'], string> = {
  running: 'working',
  waiting: 'waiting for an answer',
  done: 'answered',
  failed: 'the last turn failed; `retry` tries again',
  stopped: 'the last turn was stopped',
}

const roomWords = (bytes: number): string => (bytes === Number.MAX_SAFE_INTEGER ? '' : ` of ${sizeWords(bytes)}`)

function costWords(tokens: { input: number; cached: number; output: number }, price: NamedModel['price']): string {
  if (price === undefined) return ''
  const fresh = tokens.input - tokens.cached
  const millions = fresh * price.input + tokens.cached * (price.cached ?? price.input) + tokens.output * price.output
  return `, about $${(millions / 1_000_000).toFixed(millions < 10_000 ? 4 : 2)}`
}
