import { newId } from '../domain/ids.ts'
import type { Message, ToolCall } from '../domain/messages.ts'
import type { Model, ModelPatience, Reply, ToolDefinition } from '../domain/model.ts'
import type { HookContext, Status } from '../domain/plugin.ts'
import { askModel } from '../model/ask.ts'
import type { Hooks } from './hooks.ts'
import type { Journal } from './journal.ts'
import { lastStepReminder } from './prompt.ts'
import { toModelMessages } from './request.ts'
import { shorten, windowOf } from './window.ts'

export interface AskDeps {
  journal: Journal
  model: Model
  patience: ModelPatience
  prompt: string
  definitions: ToolDefinition[]
  /** What is put before the model once, with the messages that it has not answered yet. */
  reminders(unanswered: Message[]): Promise<string[]>
  /** Tells what the turn is at. */
  status(status: Status): Promise<void>
  hooks: Hooks
  hookContext: HookContext
  windowMessages: number
  maxSteps: number
  maxCallsPerStep: number
  /** Aborted by a stop, and when the process is leaving. */
  signal: AbortSignal
}

/** C2: the output's share of the context is at most 8,192 tokens; a token is about 3 characters where texts are mixed. */
const outputReserve = 8192
const charactersPerToken = 3

const nothingSaid = 'The model was cut off before it said anything. Ask for less at once, or in another way.'

/** One model call and what becomes of it. `last`: without tools, and the turn ends with it. */
export async function ask(kind: 'step' | 'last', deps: AskDeps): Promise<'open' | 'ended'> {
  const { journal, model, hooks, hookContext } = deps
  await deps.status('thinking')
  const history = await journal.history(deps.windowMessages + deps.maxCallsPerStep + 1)
  const reply = await askModel(model, await modelRequest(kind, history, deps), deps.patience, {
    thought: (text) => journal.thought(text),
    textStarted: () => deps.status('thinking'),
    textDelta(delta) {
      journal.textDelta(delta)
      hooks.text(delta, hookContext)
    },
    textDiscarded: () => journal.textDiscarded(),
    async retrying({ waitMs, failure }) {
      await deps.status('retrying')
      await journal.warn(failure.code, `${failure.message} Trying again in ${Math.ceil(waitMs / 1000)} s.`)
    },
  })
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

  const text = reply.text.trim() === '' ? nothingSaid : reply.text
  const again = await hooks.replyComplete(text, journal.rounds, hookContext)
  if (again === undefined) return journal.reply({ text, calls, usage })
  await journal.replyAgain(text, again.plugin, again.again, usage)
  return 'open'
}

async function modelRequest(kind: 'step' | 'last', history: Message[], deps: AskDeps) {
  const contextTokens = deps.model.contextLimit - Math.min(deps.model.outputLimit, outputReserve)
  const fixed = deps.prompt.length + JSON.stringify(deps.definitions).length
  const messages = shorten(windowOf(history, deps.windowMessages), contextTokens * charactersPerToken - fixed)

  const answered = history.findLastIndex(({ role }) => role === 'assistant')
  const reminders = await deps.reminders(history.slice(answered + 1))
  if (kind === 'last') reminders.push(lastStepReminder(deps.maxSteps))
  return {
    messages: toModelMessages(deps.prompt, messages, reminders),
    tools: kind === 'last' ? [] : deps.definitions,
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
