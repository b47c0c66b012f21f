import { z } from 'zod'

const name = z.string().regex(/^[a-zA-Z0-9_-]{1,64}$/)
const wellFormed = z.string().refine((text) => text.isWellFormed(), 'lone surrogate')

const beginnings: Record<string, string> = { png: '\x89PNG', jpeg: '\xff\xd8\xff', webp: 'RIFF', gif: 'GIF8' }

function isWhatItSays(url: string): boolean {
  const [, type = '', base64 = ''] = /^data:image\/(\w+);base64,(.{0,16})/.exec(url) ?? []
  const beginning = beginnings[type]
  return beginning !== undefined && Buffer.from(base64, 'base64').toString('latin1').startsWith(beginning)
}

const toolCall = z.strictObject({
  id: z.string().min(1),
  type: z.literal('function'),
  function: z.strictObject({ name, arguments: wellFormed }),
  extra_content: z.record(z.string(), z.unknown()).optional(),
})

/** Text first, then images, which every endpoint accepts. All of them refuse invalid images. */
const parts = z.tuple([z.strictObject({ type: z.literal('text'), text: wellFormed })]).rest(
  z.strictObject({
    type: z.literal('image_url'),
    image_url: z.strictObject({
      url: z
        .string()
        .regex(/^data:image\/(png|jpeg|webp|gif);base64,/)
        .refine(isWhatItSays, 'not an image of this type'),
    }),
  }),
)

const message = z.discriminatedUnion('role', [
  z.strictObject({ role: z.literal('system'), content: wellFormed }),
  z.strictObject({ role: z.literal('user'), content: z.union([wellFormed, parts]) }),
  z.strictObject({
    role: z.literal('assistant'),
    content: wellFormed.nullish(),
    reasoning_content: wellFormed.optional(),
    tool_calls: z.array(toolCall).min(1).optional(),
  }),
  z.strictObject({ role: z.literal('tool'), tool_call_id: z.string(), content: wellFormed }),
])

const tool = z.strictObject({
  type: z.literal('function'),
  function: z.strictObject({
    name,
    description: wellFormed.optional(),
    parameters: z
      .looseObject({ type: z.literal('object'), properties: z.record(z.string(), z.unknown()) })
      .refine((schema) => ['oneOf', 'anyOf', 'allOf', 'enum', 'not'].every((key) => !(key in schema)), 'several forms')
      .optional(),
  }),
})

const requestBody = z.looseObject({
  model: z.string().min(1),
  messages: z.array(message).min(1),
  tools: z.array(tool).min(1).max(128).optional(),
  stream: z.literal(true),
  stream_options: z.strictObject({ include_usage: z.boolean() }).optional(),
})

export type RequestBody = z.infer<typeof requestBody>
type WireMessage = RequestBody['messages'][number]

/** Every call is answered by exactly one tool message directly after it, and nothing else is. */
function checkCalls(messages: WireMessage[]): string | undefined {
  let open = new Set<string>()
  for (const [place, message] of messages.entries()) {
    if (message.role === 'tool') {
      if (!open.delete(message.tool_call_id)) return `messages[${place}]: no open call ${message.tool_call_id}`
      continue
    }
    if (open.size > 0) return `messages[${place}]: calls without a tool message before it: ${[...open].join(', ')}`
    if (message.role === 'system' && place > 0) return `messages[${place}]: a system message must be the first`
    if (message.role !== 'assistant') continue
    const calls = message.tool_calls ?? []
    if (calls.length === 0 && typeof message.content !== 'string')
      return `messages[${place}]: neither content nor calls`
    open = new Set(calls.map(({ id }) => id))
    if (open.size < calls.length) return `messages[${place}]: two calls with one id`
  }
  return open.size > 0 ? `the last calls have no tool message: ${[...open].join(', ')}` : undefined
}

function checkTools(body: RequestBody): string | undefined {
  const names = (body.tools ?? []).map((tool) => tool.function.name)
  return new Set(names).size < names.length ? 'tools: names must be unique' : undefined
}

/** What other providers have added to the API is for them only. */
function checkForeign({ messages }: RequestBody): string | undefined {
  const place = messages.findIndex(
    (one) =>
      one.role === 'assistant' &&
      (one.reasoning_content !== undefined || one.tool_calls?.some((call) => call.extra_content !== undefined)),
  )
  return place === -1 ? undefined : `messages[${place}]: it has what OpenAI doesn't know`
}

/**
 * As strict as OpenAI's own endpoint, because a lenient fake would hide what breaks in production. `foreign`: it is
 * another provider's, which takes reasoning and signatures.
 */
export function checkRequest(received: unknown, foreign = false): { body: RequestBody } | { violation: string } {
  const parsed = requestBody.safeParse(received)
  if (!parsed.success) return { violation: z.prettifyError(parsed.error) }
  const violation =
    checkCalls(parsed.data.messages) ?? checkTools(parsed.data) ?? (foreign ? undefined : checkForeign(parsed.data))
  return violation === undefined ? { body: parsed.data } : { violation }
}
