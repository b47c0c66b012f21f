import type { RequestBody } from './model-request-check.ts'
import type { ScriptedReply } from './model-script.ts'

const chunkOf = (delta: object, finish: string | null = null) => ({
  id: 'chatcmpl-scripted',
  object: 'chat.completion.chunk',
  created: 1_750_000_000,
  model: 'scripted',
  choices: [{ index: 0, delta, finish_reason: finish }],
})

const wordsOf = (text: string) => text.match(/\s*\S+|\s+$/g) ?? []

function* callChunks(call: { name: string; arguments: string; extra?: object }, index: number) {
  const half = Math.ceil(call.arguments.length / 2)
  const named = { index, id: `call_${index}`, type: 'function', function: { name: call.name, arguments: '' } }
  const start = { ...named, ...(call.extra && { extra_content: call.extra }) }
  yield chunkOf({ tool_calls: [start] })
  for (const piece of [call.arguments.slice(0, half), call.arguments.slice(half)]) {
    yield chunkOf({ tool_calls: [{ index, function: { arguments: piece } }] })
  }
}

function usageChunk(reply: ScriptedReply, body: RequestBody) {
  const usage = reply.usage ?? {
    input: Math.ceil(JSON.stringify(body.messages).length / 4),
    output: wordsOf(reply.text ?? '').length,
    cached: 0,
  }
  return {
    ...chunkOf({}),
    choices: [],
    usage: {
      prompt_tokens: usage.input,
      completion_tokens: usage.output,
      total_tokens: usage.input + usage.output,
      prompt_tokens_details: { cached_tokens: usage.cached },
    },
  }
}

function* endlessChunks(what: 'text' | 'calls') {
  for (let number = 0; ; number++) {
    if (what === 'text') yield chunkOf({ content: 'and on and on '.repeat(500) })
    else yield* callChunks({ name: 'now', arguments: '{}' }, number)
  }
}

/** What a reply is on the wire: the payloads of its SSE events, the first of which only opens the message. */
export function* chunksOf(reply: ScriptedReply, body: RequestBody): Generator<unknown> {
  if (reply.raw) return yield* reply.raw
  yield chunkOf({ role: 'assistant', content: '' })
  if (reply.endless === 'text' || reply.endless === 'calls') yield* endlessChunks(reply.endless)
  for (const word of wordsOf(reply.thought ?? '')) yield chunkOf({ reasoning_content: word })
  for (const word of wordsOf(reply.text ?? '')) yield chunkOf({ content: word })
  for (const [index, call] of (reply.calls ?? []).entries()) yield* callChunks(call, index)
  yield chunkOf({}, reply.finish ?? (reply.calls?.length ? 'tool_calls' : 'stop'))
  if (body.stream_options?.include_usage) yield usageChunk(reply, body)
  yield '[DONE]'
}
