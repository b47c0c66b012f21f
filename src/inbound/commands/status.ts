import { sizeWords } from '../../kit/text/shown.ts'
import { pendingAlarms } from '../../store/alarms.ts'
import { lengthOfHistory } from '../../store/messages.ts'
import { pendingRequests } from '../../store/requests.ts'
import { countTurns, lastTurn, type StoredTurn, tokensOf } from '../../store/turns.ts'
import { type Command, counted, modelOf, type NamedModel, shortId } from '../../turn/command.ts'
import { filesIn } from '../../workspace/thread-files.ts'

/** Mixed text has about 3 characters per token (C2). */
const charactersPerToken = 3

export const status: Command = {
  name: 'status',
  summary: 'this thread’s status: messages, context, cost, files, what waits',
  about: 'thread',
  async run({ session, deps }) {
    const { db } = deps.store
    const workspace = await deps.workspaces.open(session)
    const [turns, turn, requests, alarms, files, characters, tokens, { limits }] = await Promise.all([
      countTurns(db, [session.id]),
      lastTurn(db, session.id),
      pendingRequests(db, session.id),
      pendingAlarms(db, session.id),
      Array.fromAsync(filesIn(workspace)),
      lengthOfHistory(db, session.id, session.historyFrom, deps.windowMessages),
      tokensOf(db, session.id),
      workspace.usage(),
    ])
    const bytes = files.reduce((sum, { size }) => sum + size, 0)
    const used = Math.ceil(characters / charactersPerToken)
    const { model, price, slot } = modelOf(session, deps)
    const share = Math.round((used / model.contextLimit) * 100)
    return [
      `**This thread** \`${shortId(session)}\` – ${turn ? stateWords[turn.state] : 'nothing asked yet'}`,
      `- Messages: ${session.messages} in ${counted(turns.get(session.id) ?? 0, 'turn')}`,
      `- Context: about ${used.toLocaleString('en')} of ${model.contextLimit.toLocaleString('en')} tokens (${share} %)`,
      `- Model: ${model.name}${slot === 'base' ? '' : ` (${slot})`}, ${tokens.input.toLocaleString('en')} tokens in, ${tokens.output.toLocaleString('en')} out${costWords(tokens, price)}`,
      `- Files: ${files.length === 0 ? 'none' : `${files.length} (${sizeWords(bytes)}${roomWords(limits.bytes)})`}`,
      `- Waiting: ${requests.length} for an answer, ${counted(alarms.length, 'alarm')}`,
    ].join('\n')
  },
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
