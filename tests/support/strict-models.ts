import { tokensIn } from '../../src/kit/model/tokens.ts'
import type { RequestBody, ScriptedReply } from './model-server.ts'

type Refusal = (body: RequestBody) => ScriptedReply | undefined

const refused = (code: number, body: unknown): ScriptedReply => ({ status: { code, headers: {}, body } })

const assistants = ({ messages }: RequestBody) =>
  messages.flatMap((one, index) => (one.role === 'assistant' ? [{ ...one, index }] : []))

/** Kimi K2 thinking, 2.5 and 2.6: messages with calls have the reasoning before them, and the temperature is fixed. */
export const kimi: Refusal = (body) => {
  const say = (message: string) => refused(400, { error: { message, type: 'invalid_request_error' } })
  if ('temperature' in body) return say('invalid temperature: only 1 is allowed for this model')
  const without = assistants(body).find((one) => one.tool_calls && !one.reasoning_content)
  if (without === undefined) return undefined
  return say(
    `thinking is enabled but reasoning_content is missing in assistant tool call message at index ${without.index}`,
  )
}

/** DeepSeek's thinking mode, as narrow as its words: once there were calls, all messages have reasoning. */
export const deepseek: Refusal = (body) => {
  const own = assistants(body)
  if (!own.some((one) => one.tool_calls) || own.every((one) => one.reasoning_content)) return undefined
  const message = 'The `reasoning_content` in the thinking mode must be passed back to the API.'
  return refused(400, { error: { message, type: 'invalid_request_error', param: null, code: 'invalid_request_error' } })
}

const dummies = ['context_engineering_is_the_way_to_go', 'skip_thought_signature_validator']

/** Gemini 3 at its OpenAI address: since the last user message, the first call of each step has its signature. */
export const gemini: Refusal = (body) => {
  const said = body.messages.findLastIndex(({ role }) => role === 'user')
  for (const { index, tool_calls: calls = [] } of assistants(body)) {
    const [first] = calls
    if (index < said || first === undefined) continue
    const { google } = (first.extra_content ?? {}) as { google?: { thought_signature?: string } }
    const signature = google?.thought_signature ?? ''
    if (signature === signatureOf(first.function.name, first.function.arguments) || dummies.includes(signature))
      continue
    const message =
      signature === ''
        ? `Function call is missing a thought_signature in functionCall parts. This is required for tools to work correctly, and missing thought_signature may lead to degraded model performance. Additional data, function call \`default_api:${first.function.name}\` , position ${index}.`
        : 'Corrupted thought signature.'
    return refused(400, [{ error: { code: 400, message, status: 'INVALID_ARGUMENT' } }])
  }
  return undefined
}

const signatureOf = (name: string, written: string) => Buffer.from(`thought of ${name} ${written}`).toString('base64')

/** vLLM and most that run it: what is sent and what may be said fit into the context together. */
export const vllm =
  (context: number): Refusal =>
  ({ messages, tools = [], max_tokens }) => {
    const output = Number(max_tokens ?? 0)
    const input = tokensIn(JSON.stringify(messages) + JSON.stringify(tools))
    if (input + output <= context) return undefined
    const message = `This model's maximum context length is ${context} tokens. However, you requested ${input + output} tokens (${input} in the messages, ${output} in the completion). Please reduce the length of the messages or completion.`
    return refused(400, { object: 'error', message, type: 'BadRequestError', param: null, code: 400 })
  }

/** As Gemini signs the first call of a reply. */
export const signed = (reply: ScriptedReply): ScriptedReply => ({
  ...reply,
  calls: (reply.calls ?? []).map((call, place) =>
    place > 0 ? call : { ...call, extra: { google: { thought_signature: signatureOf(call.name, call.arguments) } } },
  ),
})

const mistralSays = (message: unknown, type = 'invalid_request_error', code: string | null = null) => ({
  object: 'error',
  message,
  type,
  param: null,
  code,
})

const forbidden = (...loc: (string | number)[]) =>
  refused(
    422,
    mistralSays({
      detail: [{ type: 'extra_forbidden', loc: ['body', ...loc], msg: 'Extra inputs are not permitted' }],
    }),
  )

/** Mistral: short ids, an order of roles, and nothing that it doesn't know. */
export const mistral: Refusal = (body) => {
  if ('stream_options' in body) return forbidden('stream_options', 'include_usage')
  const reasoning = assistants(body).find((one) => one.reasoning_content !== undefined)
  if (reasoning) return forbidden('messages', reasoning.index, 'assistant', 'reasoning_content')
  const ids = assistants(body).flatMap((one) => (one.tool_calls ?? []).map(({ id }) => id))
  const wrong = ids.find((id) => !/^[a-zA-Z0-9]{9}$/.test(id))
  if (wrong !== undefined) {
    const message = `Tool call id was ${wrong} but must be a-z, A-Z, 0-9, with a length of 9.`
    return refused(400, mistralSays(message, 'invalid_function_call', '3280'))
  }
  const { messages } = body
  if (!messages.some(({ role }, index) => role === 'user' && messages[index - 1]?.role === 'tool')) return undefined
  const message = "Unexpected role 'user' after role 'tool'"
  return refused(400, mistralSays(message, 'invalid_request_message_order', '3230'))
}

/** As the templates of Devstral and Mistral Small count: people and the model alternate, without its calls. */
function isAlternating({ messages }: RequestBody): boolean {
  const said = messages.filter((one) => one.role === 'user' || (one.role === 'assistant' && !one.tool_calls))
  return said.every(({ role }, place) => (role === 'user') === (place % 2 === 0))
}

const mustAlternate =
  'After the optional system message, conversation roles must alternate user and assistant roles except for tool calls and results.'

/** vLLM with such a template. */
export const vllmTemplate: Refusal = (body) => {
  if (isAlternating(body)) return undefined
  return refused(400, { error: { message: mustAlternate, type: 'BadRequestError', param: null, code: 400 } })
}

/** llama.cpp with such a template. */
export const llamaCppTemplate: Refusal = (body) => {
  if (isAlternating(body)) return undefined
  const message = `
------------
While executing CallExpression at line 189, column 32 in source:
...== 0) %}↵            {{- raise_exception('After the optional system message, con...
                                           ^
Error: Jinja Exception: ${mustAlternate}`
  return refused(500, { error: { code: 500, message, type: 'server_error' } })
}
