import type {
  ChatCompletionContentPartImage,
  ChatCompletionMessageParam,
  ChatCompletionTool,
} from 'openai/resources/chat/completions'
import type { JsonObject } from '../kit/json.ts'
import type { ModelCall, ModelImage, ModelMessage, ToolDefinition } from '../kit/model/model.ts'
import type { HistoryWays } from './history-ways.ts'

type WireCall = {
  id: string
  type: 'function'
  function: { name: string; arguments: string }
  extra_content?: JsonObject
}

/** Where an endpoint insists on reasoning that there never was, anything but an empty text will do. */
const noReasoning = '.'

/** Google's own word for a call that its model didn't make. */
const noSignature: JsonObject = { google: { thought_signature: 'skip_thought_signature_validator' } }

const between: ChatCompletionMessageParam = { role: 'assistant', content: 'OK.' }

const beginning: ModelMessage = { role: 'user', content: '[The program] The thread continues here.' }

/**
 * Servers parse the arguments of earlier calls and reject a history whose arguments aren't a JSON object; one bad reply
 * would then end the whole thread.
 */
function sendableArguments(written: string): string {
  if (written.trim() === '') return '{}'
  try {
    const parsed: unknown = JSON.parse(written)
    if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)) return written.toWellFormed()
  } catch {
    // Not JSON: it is wrapped below, so that the model can still read what it wrote.
  }
  return JSON.stringify({ invalid_arguments: written.toWellFormed() })
}

/** Endpoints reject a history with names that they wouldn't allow for a tool; a model may write any. */
const sendableName = (written: string): string => written.replace(/[^a-zA-Z0-9_-]/g, '_').slice(0, 64) || 'unnamed'

/**
 * Mistral takes ids of nine letters and digits only. The end of ours is random, so it tells the calls of a thread
 * apart.
 */
const wireId = (id: string): string => id.slice(-9)

const wireCall = ({ id, name, arguments: written, extra }: ModelCall): WireCall => ({
  id: wireId(id),
  type: 'function',
  function: { name: sendableName(name), arguments: sendableArguments(written) },
  ...(extra && { extra_content: extra }),
})

/** Of calls made together, only the first has a signature. */
function wireCalls(calls: ModelCall[], { signatures }: HistoryWays): WireCall[] {
  const isUnsigned = signatures && calls.every(({ extra }) => extra === undefined)
  return calls.map((call, place) => wireCall(isUnsigned && place === 0 ? { ...call, extra: noSignature } : call))
}

/** What goes back of a reply's reasoning. It isn't in the API's own types. */
function reasoningOf(thought: string | undefined, { reasoning }: HistoryWays): { reasoning_content?: string } {
  const sent = reasoning === 'all' ? thought || noReasoning : thought
  return sent && reasoning !== 'none' ? { reasoning_content: sent.toWellFormed() } : {}
}

const wireImage = ({ type, base64 }: ModelImage): ChatCompletionContentPartImage => ({
  type: 'image_url',
  image_url: { url: `data:${type};base64,${base64}` },
})

/** A history as chat completions expect it, and as this endpoint does. */
export function wireMessages(messages: ModelMessage[], ways: HistoryWays): ChatCompletionMessageParam[] {
  const sent = ways.alternating ? alternating(messages) : messages
  return sent.flatMap((message, place) => {
    const isRightAfterResult = message.role === 'user' && sent[place - 1]?.role === 'tool'
    return [...(ways.between && isRightAfterResult ? [between] : []), wireMessage(message, ways)]
  })
}

/** Messages of one side that follow each other become one, and people begin. */
function alternating(messages: ModelMessage[]): ModelMessage[] {
  const sent: ModelMessage[] = []
  for (const message of messages) {
    const last = sent.at(-1)
    const whole = last && joined(last, message)
    if (whole) sent.pop()
    else if (message.role === 'assistant' && (last === undefined || last.role === 'system')) sent.push(beginning)
    sent.push(whole ?? message)
  }
  return sent
}

function joined(one: ModelMessage, next: ModelMessage): ModelMessage | undefined {
  if (one.role !== next.role || one.role === 'tool') return undefined
  const content = [one.content, next.content].filter((text) => text !== '').join('\n\n')
  if (one.role !== 'user' || next.role !== 'user') return { ...next, content }
  return { role: 'user', content, images: [...(one.images ?? []), ...(next.images ?? [])] }
}

/** Lone surrogates are replaced: many servers can't decode them. */
function wireMessage(message: ModelMessage, ways: HistoryWays): ChatCompletionMessageParam {
  const content = message.content.toWellFormed()
  if (message.role === 'tool') return { role: 'tool', tool_call_id: wireId(message.call), content }
  if (message.role === 'system') return { role: 'system', content }
  if (message.role === 'user') {
    const { images = [] } = message
    // Many servers accept parts only for images.
    if (images.length === 0) return { role: 'user', content }
    return { role: 'user', content: [{ type: 'text', text: content }, ...images.map(wireImage)] }
  }
  const reasoning = reasoningOf(message.thought, ways)
  if (message.calls.length === 0) return { role: 'assistant', content, ...reasoning }
  const calls = wireCalls(message.calls, ways)
  return { role: 'assistant', content: content === '' ? null : content, ...reasoning, tool_calls: calls }
}

export const wireTool = (tool: ToolDefinition): ChatCompletionTool => ({
  type: 'function',
  function: { name: tool.name, description: tool.description, parameters: { ...tool.parameters } },
})
