import type { WorkspaceFile } from '../../domain/chat.ts'
import type { Message, ToolCall } from '../../domain/messages.ts'
import type { Tool } from '../../domain/tool.ts'
import type { ModelImage, ModelMessage, ToolDefinition } from '../../kit/model/model.ts'
import { toolSchema } from '../../kit/model/tool-schema.ts'
import { notThePrograms, ofNobody, ofOnePerson, withoutFences, withoutReminders } from '../../kit/text/marks.ts'
import { plainName, visible } from '../../kit/text/text.ts'
import { turnWords } from '../port/words.ts'

/** What somebody wrote, and where it came from. */
export interface Quoted {
  source: string
  text: string
}

interface Along {
  reminders: string[]
  /** Added to the last message, as data. */
  data?: Quoted[]
  images?: ModelImage[]
  /** The model that is asked, by its name. */
  model?: string
  sourceOf?(call: ToolCall): string | undefined
}

/**
 * Messages as the model reads them. Temporary text is appended to the last message as `<system_reminder>`, images to
 * the last one that a person or the program wrote.
 */
export function toModelMessages(
  prompt: string,
  messages: Message[],
  { reminders, data = [], images = [], model, sourceOf = () => undefined }: Along,
): ModelMessage[] {
  const calls = new Map(
    messages.flatMap((one) => (one.role === 'assistant' ? one.calls : [])).map((one) => [one.id, one]),
  )
  const spoken = messages.findLastIndex(({ role }) => role === 'user')
  const sent: ModelMessage[] = [
    { role: 'system', content: prompt },
    ...messages.map((message, place) => {
      const call = message.role === 'tool' ? calls.get(message.call) : undefined
      const whole = withUnrun(toModelMessage(message, model, call && sourceOf(call)), call)
      return whole.role === 'user' && place === spoken && images.length > 0 ? { ...whole, images } : whole
    }),
  ]
  const last = sent.at(-1)
  if (last === undefined || last.role === 'system') return sent
  const quoted = data.map(({ source, text }) => fenced(withoutReminders(notThePrograms(ofNobody(text))), source))
  const told = reminders.length === 0 ? [] : [`<system_reminder>\n${reminders.join('\n\n')}\n</system_reminder>`]
  return [...sent.slice(0, -1), { ...last, content: [last.content, ...quoted, ...told].join('\n\n') }]
}

/** Otherwise the model would take the calls that were too many for answered ones. */
const withUnrun = (message: ModelMessage, { unrun = 0 }: Partial<ToolCall> = {}): ModelMessage =>
  unrun === 0 ? message : { ...message, content: `${message.content}\n\n${turnWords.callsUnrun({ unrun })}` }

function toModelMessage(message: Message, model: string | undefined, source?: string): ModelMessage {
  if (message.role === 'tool') {
    const text = withoutReminders(notThePrograms(message.text))
    return {
      role: 'tool',
      call: message.call,
      content: source === undefined || message.program ? text : fenced(text, source),
    }
  }
  if (message.role === 'assistant') return ownMessage(message, message.model !== undefined && message.model === model)
  const { origin, person } = message
  const isSaid =
    origin === 'person' || origin === 'earlier' || (person !== undefined && !['note', 'alarm'].includes(origin))
  const words = isSaid ? `[${plainName(person?.name ?? '')}] ${textOf(message)}` : textOf(message)
  const isListed = message.files.length > 0 && origin !== 'seen'
  return { role: 'user', content: isListed ? `${words}\n\n${fileList(message.files)}` : words }
}

/** What another model sent along with its calls means nothing to this one, or is even refused. */
function ownMessage(
  { text, thought, calls }: Extract<Message, { role: 'assistant' }>,
  isByThisModel: boolean,
): ModelMessage {
  const made = isByThisModel ? calls : calls.map(({ extra, ...call }) => call)
  return { role: 'assistant', content: text, ...(isByThisModel && thought && { thought }), calls: made }
}

function textOf({ origin, text }: Extract<Message, { role: 'user' }>): string {
  if (origin === 'resume' || origin === 'prompt' || origin.startsWith('plugin:')) return text
  if (origin === 'seen') return fencedSight(text)
  if (origin === 'task') return `[The program] ${withoutReminders(ofOnePerson(notThePrograms(text)))}`
  return withoutReminders(origin === 'note' ? text : ofOnePerson(notThePrograms(text)))
}

/** Other people's text goes between these marks, and nothing in it can close them. */
const fenced = (text: string, source: string): string =>
  `<data source=${JSON.stringify(plainName(source))}>\n${withoutFences(text)}\n</data>`

/** The text in an image is somebody else's. */
const fencedSight = (text: string): string =>
  `[The program] These images can’t be shown to you, so the model for images describes them:\n\n${fenced(withoutReminders(notThePrograms(text)), 'a description of images')}`

const fileList = (files: WorkspaceFile[]): string =>
  [
    'Files:',
    ...files.map(({ path, name, type, size, notice }) => {
      const line = `- ${withoutReminders(notThePrograms(visible(path).replace(/\s/g, ' ')))} (${plainName(name)}, ${type}, ${size} bytes)`
      return notice === undefined ? line : `${line}, and ${notice}.`
    }),
  ].join('\n')

/** Tool definitions in the order of the tools, which stays the same within a session: new ones are appended. */
export const toDefinitions = (tools: Tool[]): ToolDefinition[] =>
  tools.map(({ name, description, input, parameters, server }) => ({
    name,
    description,
    parameters: parameters ?? toolSchema(input),
    ...(server !== undefined && { server }),
  }))
