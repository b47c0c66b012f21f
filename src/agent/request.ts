import { z } from 'zod'
import type { WorkspaceFile } from '../domain/chat.ts'
import type { JsonObject } from '../domain/json.ts'
import type { Message, ToolCall } from '../domain/messages.ts'
import type { ModelImage, ModelMessage, ToolDefinition } from '../domain/model.ts'
import { notThePrograms, plainName } from '../domain/text.ts'
import type { Tool } from '../domain/tool.ts'

/** What goes along with messages. */
/** What somebody wrote, and where it came from. */
export interface Quoted {
  source: string
  text: string
}

interface Along {
  reminders: string[]
  /** Goes with the last message too, as data. */
  data?: Quoted[]
  images?: ModelImage[]
  sourceOf?(call: ToolCall): string | undefined
}

/**
 * Messages as the model reads them, with what is new or passing appended to the last as `<system_reminder>`, and images
 * to the last that a person or the program wrote.
 */
export function toModelMessages(
  prompt: string,
  messages: Message[],
  { reminders, data = [], images = [], sourceOf = () => undefined }: Along,
): ModelMessage[] {
  const calls = new Map(
    messages.flatMap((one) => (one.role === 'assistant' ? one.calls : [])).map((one) => [one.id, one]),
  )
  const spoken = messages.findLastIndex(({ role }) => role === 'user')
  const sent: ModelMessage[] = [
    { role: 'system', content: prompt },
    ...messages.map((message, place) => {
      const call = message.role === 'tool' ? calls.get(message.call) : undefined
      const whole = toModelMessage(message, call && sourceOf(call))
      return whole.role === 'user' && place === spoken && images.length > 0 ? { ...whole, images } : whole
    }),
  ]
  const last = sent.at(-1)
  if (last === undefined || last.role === 'system') return sent
  const quoted = data.map(({ source, text }) => fenced(asData(notThePrograms(text)), source))
  const told = reminders.length === 0 ? [] : [`<system_reminder>\n${reminders.join('\n\n')}\n</system_reminder>`]
  return [...sent.slice(0, -1), { ...last, content: [last.content, ...quoted, ...told].join('\n\n') }]
}

function toModelMessage(message: Message, source?: string): ModelMessage {
  if (message.role === 'tool') {
    const text = asData(notThePrograms(message.text))
    return {
      role: 'tool',
      call: message.call,
      content: source === undefined || message.program ? text : fenced(text, source),
    }
  }
  if (message.role === 'assistant') return { role: 'assistant', content: message.text, calls: message.calls }
  const words =
    message.person === undefined || message.origin === 'note'
      ? textOf(message)
      : `[${plainName(message.person.name)}] ${textOf(message)}`
  return { role: 'user', content: message.files.length === 0 ? words : `${words}\n\n${fileList(message.files)}` }
}

function textOf({ origin, text }: Extract<Message, { role: 'user' }>): string {
  if (origin === 'resume' || origin.startsWith('plugin:')) return text
  return asData(origin === 'note' ? text : ofOnePerson(notThePrograms(text)))
}

/** A line of somebody's own that looks as if another person spoke does not begin like one. */
const ofOnePerson = (text: string): string => text.replace(/\n(?=\[)/g, '\n ')

/** What others wrote stands between these marks, and nothing in it can close them. */
function fenced(text: string, source: string): string {
  const inner = text.replace(/<(\/?)data\b/gi, '<$1quoted_data')
  return `<data source=${JSON.stringify(plainName(source))}>\n${inner}\n</data>`
}

/** Nobody but the program itself writes reminders. */
const asData = (text: string): string => text.replace(/<(\/?)system_reminder/gi, '<$1quoted_reminder')

const fileList = (files: WorkspaceFile[]): string =>
  [
    'Files:',
    ...files.map(({ path, name, type, size, notice }) => {
      const line = `- ${asData(notThePrograms(path))} (${plainName(name)}, ${type}, ${size} bytes)`
      return notice === undefined ? line : `${line}, and ${notice}.`
    }),
  ].join('\n')

/** Tool definitions in the order of the tools, which stays the same for a session: new ones are appended. */
export const toDefinitions = (tools: Tool[]): ToolDefinition[] =>
  tools.map(({ name, description, input }) => ({
    name,
    description,
    // zod's own type of a JSON schema is wider than JSON.
    parameters: z.toJSONSchema(input, { io: 'input' }) as JsonObject,
  }))
