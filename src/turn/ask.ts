import { newId } from '../domain/ids.ts'
import type { Message, ToolCall } from '../domain/messages.ts'
import type { Model, ModelImage, ModelRequest, Reply, ToolDefinition } from '../kit/model/model.ts'
import { saysNothing, silenceReminder } from '../kit/model/silence.ts'
import { lastStepReminder } from './prompt.ts'
import { type ReplyDeps, type RequestFor, replyTo, type Sight } from './reply.ts'
import { type Quoted, toModelMessages } from './request.ts'
import { shorten, stillSent, windowOf } from './window.ts'

export interface AskDeps extends ReplyDeps {
  prompt: string
  /** Of the tools that the thread has now. */
  definitions(): ToolDefinition[]
  /** What is put before the model once, with the messages that it has not answered yet. */
  reminders(unanswered: Message[]): Promise<{ texts: string[]; data: Quoted[]; sight?: Sight }>
  /** Who wrote what the result of a call holds; undefined when that is the program itself. */
  sourceOf(call: ToolCall): string | undefined
  windowMessages: number
  maxSteps: number
  maxCallsPerStep: number
  /** Aborted by a stop, and when the process is leaving. */
  signal: AbortSignal
}

/** C2: the output's share of the context is at most 8,192 tokens; a token is about 3 characters where texts are mixed. */
const outputReserve = 8192
const charactersPerToken = 3

/** About what a large image counts for, whatever its bytes: providers scale it down, each in its own way. */
const tokensPerImage = 1_600

const nothingSaid = 'The model was cut off before it said anything. Ask for less at once, or in another way.'

/** One model call and what becomes of it. `last`: without tools, and the turn ends with it. */
export async function ask(kind: 'step' | 'last', deps: AskDeps): Promise<'open' | 'ended'> {
  const { journal, hooks, hookContext } = deps
  await deps.status('thinking')
  const history = await journal.history(deps.windowMessages + deps.maxCallsPerStep + 1)
  const answered = history.findLastIndex(({ role }) => role === 'assistant')
  const { texts, data, sight } = await deps.reminders(history.slice(answered + 1))
  if (kind === 'last') texts.push(lastStepReminder(deps.maxSteps))
  const mayBeEmpty = kind === 'step' && (await journal.isAside())
  if (mayBeEmpty) texts.push(silenceReminder)
  const requestFor: RequestFor = (by, more, images) => ({
    ...modelRequest(by, kind, history, { reminders: [...texts, ...more], data, images }, deps),
    mayBeEmpty,
  })
  const reply = await replyTo(sight, requestFor, deps)
  if (reply.finish === 'length')
    await journal.warn('answer_cut', 'The model reached its output limit; this is as far as it got.')
  if (reply.finish === 'filter') await journal.warn('answer_filtered', "The provider's content filter cut the answer.")

  if (kind === 'last') {
    const text = reply.text.trim() || `I used all ${deps.maxSteps} steps without coming to an end. Ask me to go on.`
    return journal.finish(text, 'whatever', reply.usage)
  }
  const calls = await callsOf(reply, deps)
  const { usage } = reply
  if (calls.length > 0) return journal.reply({ text: reply.text, calls, usage })

  if (mayBeEmpty && reply.finish !== 'length' && saysNothing(reply.text)) return journal.sayNothing(usage)

  const text = wordsOf(reply)
  const again = await hooks.replyComplete(text, journal.rounds, hookContext)
  if (again === undefined) return journal.reply({ text, calls, usage })
  await journal.replyAgain(text, again, usage)
  return 'open'
}

/** Whoever mentions the bot gets an answer: a thumbs-up where the model wanted to stay silent. */
function wordsOf({ text }: Reply): string {
  if (text.trim() === '') return nothingSaid
  return saysNothing(text) ? '👍' : text
}

function modelRequest(
  model: Model,
  kind: 'step' | 'last',
  history: Message[],
  { reminders, data, images }: { reminders: string[]; data: Quoted[]; images: ModelImage[] },
  deps: AskDeps,
): ModelRequest {
  const contextTokens = model.contextLimit - Math.min(model.outputLimit, outputReserve) - images.length * tokensPerImage
  const fixed = deps.prompt.length + JSON.stringify(deps.definitions()).length
  const messages = shorten(
    windowOf(stillSent(history), deps.windowMessages),
    contextTokens * charactersPerToken - fixed,
  )
  return {
    messages: toModelMessages(deps.prompt, messages, { reminders, data, images, sourceOf: deps.sourceOf }),
    tools: kind === 'last' ? [] : deps.definitions(),
    signal: deps.signal,
  }
}

/** Calls get our own ids: some providers repeat theirs from turn to turn. */
async function callsOf(reply: Reply, deps: AskDeps): Promise<ToolCall[]> {
  const taken = reply.calls.slice(0, deps.maxCallsPerStep)
  if (taken.length < reply.calls.length) {
    const fact = `The model asked for ${reply.calls.length} calls at once; only the first ${taken.length} were taken.`
    await deps.journal.warn('too_many_calls', fact)
  }
  return taken.map(({ name, arguments: args }) => ({ id: newId('call'), name, arguments: args }))
}
