import { newId } from '../domain/ids.ts'
import type { Message, ToolCall } from '../domain/messages.ts'
import type { Model, ModelImage, ModelRequest, Reply } from '../kit/model/model.ts'
import { saysNothing, silenceReminder } from '../kit/model/silence.ts'
import { taskOf } from '../model/route.ts'
import { sourceOf } from '../trust/untrusted.ts'
import type { ModelPermit } from './capability.ts'
import { newOutputs } from './outputs.ts'
import { lastStepReminder } from './prompt.ts'
import { remindersFor } from './reminders.ts'
import { type RequestFor, replyTo } from './reply.ts'
import { type Quoted, toModelMessages } from './request.ts'
import { lengthOf } from './request-size.ts'
import { toldBefore } from './system-prompt.ts'
import type { JustRead, Turn } from './turn.ts'
import { shorten, stillSent, windowOf } from './window.ts'

/** At most 8,192 tokens of the context are reserved for the reply (C2). In mixed text, a token is about 3 characters. */
const outputReserve = 8192
const charactersPerToken = 3

/** About what a large image costs, whatever its bytes; providers scale it down in different ways. */
const tokensPerImage = 1_600

type Held = Exclude<ModelPermit, { kind: 'go' }>

const nothingSaid = 'The model was cut off before it said anything. Ask for less at a time, or rephrase it.'

/**
 * Makes one model call and handles its reply. `last`: without tools, and the turn ends with it. `justRead` saves
 * look-ups.
 */
export async function ask(kind: 'step' | 'last', turn: Turn, justRead?: JustRead): Promise<'open' | 'ended'> {
  const { journal } = turn
  const { maxSteps, maxCallsPerStep, windowMessages } = turn.bot.config.agent
  await turn.status('thinking')
  const history = justRead?.history ?? (await journal.history(windowMessages + maxCallsPerStep + 1))
  const answered = history.findLastIndex(({ role }) => role === 'assistant')
  const { texts, data, sight } = await remindersFor(history.slice(answered + 1), turn)
  if (kind === 'last') texts.push(lastStepReminder(maxSteps))
  const mayBeEmpty = kind === 'step' && (justRead?.isAside ?? (await journal.isAside()))
  if (mayBeEmpty) texts.push(silenceReminder)
  const requestFor: RequestFor = (by, more, images) => ({
    ...modelRequest(by, kind, history, { reminders: [...texts, ...more], data, images }, turn),
    mayBeEmpty,
  })
  const task = kind === 'last' ? 'wording' : taskOf(saidIn(history, turn))
  const replied = await replyTo(sight, task, requestFor, turn)
  if ('held' in replied) return hold(replied.held, mayBeEmpty, turn)
  const { reply, paid } = replied
  if (reply.finish === 'length')
    await journal.warn('answer_cut', 'The model reached its output limit. This is as far as it got.')
  if (reply.finish === 'filter') await journal.warn('answer_filtered', "The provider's content filter cut the answer.")

  if (kind === 'last') {
    const text = reply.text.trim() || `I used all ${maxSteps} steps and I’m not done. Ask me to continue.`
    return journal.finish(text, 'whatever', await newOutputs(turn), paid)
  }
  const calls = await callsOf(reply, turn)
  if (calls.length > 0) return journal.reply({ text: reply.text, calls, paid })

  if (mayBeEmpty && reply.finish !== 'length' && saysNothing(reply.text))
    return journal.sayNothing(await newOutputs(turn), paid)

  const text = wordsOf(reply)
  const again = await turn.bot.capabilities.replyComplete(text, () => journal.rounds(), turn.hookContext)
  if (again === undefined) return journal.reply({ text, calls, paid }, await newOutputs(turn))
  await journal.replyAgain(text, again, paid)
  return 'open'
}

/** What people have said since the turn began, so that a turn stays with its model. */
const saidIn = (history: Message[], { row }: Turn) =>
  history.filter(
    (message) => message.role === 'user' && message.turn === row.id && message.origin === 'person',
  ) as Extract<Message, { role: 'user' }>[]

/** The model isn't asked: a tool is called in its place, or the turn ends here with what it has made. */
async function hold(held: Held, isAside: boolean, turn: Turn): Promise<'open' | 'ended'> {
  // People who talk to each other needn't hear that the bot has no money.
  if (held.kind === 'stop' && isAside) return turn.journal.sayNothing(await newOutputs(turn))
  if (held.kind === 'stop') return turn.journal.finish(held.text, 'whatever', await newOutputs(turn))
  const call = { id: newId('call'), name: held.tool, arguments: JSON.stringify(held.input) }
  return turn.journal.reply({ text: '', calls: [call] })
}

/** A mention always gets an answer, so a silent reply becomes a thumbs-up. */
function wordsOf({ text }: Reply): string {
  if (text.trim() === '') return nothingSaid
  return saysNothing(text) ? '👍' : text
}

function modelRequest(
  model: Model,
  kind: 'step' | 'last',
  history: Message[],
  { reminders, data, images }: { reminders: string[]; data: Quoted[]; images: ModelImage[] },
  turn: Turn,
): ModelRequest {
  const { toolbox, config, engine } = turn.bot
  const definitions = toolbox.definitionsOf(turn.tools)
  const contextTokens = model.contextLimit - Math.min(model.outputLimit, outputReserve) - images.length * tokensPerImage
  const window = windowOf(stillSent(history), config.agent.windowMessages)
  const told = toldBefore(window, turn.prompt)
  const instructions = [turn.prompt, ...told].reduce((sum, { text }) => sum + text.length, 0)
  const fixed = definitions.reduce((sum, definition) => sum + lengthOf(definition), instructions)
  const messages = shorten(window, contextTokens * charactersPerToken - fixed)
  const along = { reminders, data, images, sourceOf: (call: ToolCall) => turn.store.mask(sourceOf(call, toolbox.all)) }
  return {
    messages: toModelMessages(turn.prompt.text, [...told, ...messages], along),
    tools: kind === 'last' ? [] : definitions,
    signal: AbortSignal.any([turn.signal, engine.leaving]),
  }
}

/** Calls get our own ids, because some providers use the same ones again in a later turn. */
async function callsOf(reply: Reply, turn: Turn): Promise<ToolCall[]> {
  const taken = reply.calls.slice(0, turn.bot.config.agent.maxCallsPerStep)
  if (taken.length < reply.calls.length) {
    const fact = `The model asked for ${reply.calls.length} calls at once; only the first ${taken.length} were taken.`
    await turn.journal.warn('too_many_calls', fact)
  }
  return taken.map(({ name, arguments: args }) => ({ id: newId('call'), name, arguments: args }))
}
