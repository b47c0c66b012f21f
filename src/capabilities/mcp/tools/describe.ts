import type { Json, JsonObject } from '../../../kit/json.ts'
import { withoutInvisible } from '../../../kit/text/invisible.ts'
import { notThePrograms, withoutFences, withoutReminders } from '../../../kit/text/marks.ts'
import { cutUtf8 } from '../../../kit/text/text.ts'
import type { ListedTool } from '../port.ts'
import { isObject } from './arguments.ts'

/** Longer descriptions are cut. */
const descriptionBytes = 4_096
const deepest = 24

/** A server's words, in which nothing is hidden and nothing passes for the program. */
export const plainWords = (text: string): string =>
  withoutFences(withoutReminders(notThePrograms(withoutInvisible(text))))

/** What a server says of a tool. Models see only the beginning of a long text: `…` says that it is cut. */
export function wordsOf({ title = '', description }: Pick<ListedTool, 'title' | 'description'>): string {
  const whole = plainWords([title, description].filter((one) => one !== '').join(': '))
  const shown = cutUtf8(whole, descriptionBytes)
  return shown === whole ? whole : `${shown}…`
}

/** A tool's description and parameters as a model may see them; undefined when they are too large or too deep. */
export function fitForModel(
  tool: ListedTool,
  server: string,
  maxBytes: number,
): { description: string; parameters: JsonObject } | undefined {
  const { parameters, ours } = tool
  if (Buffer.byteLength(JSON.stringify(parameters)) > maxBytes) return undefined
  const shown = withPlainWords(parameters, 0)
  if (!isObject(shown)) return undefined
  return {
    description: `${ours ? `For the MCP server ${server}` : `From the MCP server ${server}, in its words`}: ${wordsOf(tool)}`,
    parameters: withPlainTop(shown),
  }
}

const forms = ['allOf', 'anyOf', 'oneOf']
/** What models' APIs refuse at the top of a tool's parameters, and with it the whole request. */
const refusedAtTop = [...forms, 'enum', 'not']

const isNames = (value: Json): boolean => Array.isArray(value) && value.every((one) => typeof one === 'string')

/** Where the parameters take several forms, they get what belongs to any of them. The server checks what it is sent. */
function withPlainTop(schema: JsonObject): JsonObject {
  const all = [...forms.flatMap((form) => schema[form] ?? []), schema].filter(isObject)
  const properties = all.flatMap((one) => (isObject(one.properties) ? Object.entries(one.properties) : []))
  const kept = Object.entries(schema).filter(
    ([key, value]) => !refusedAtTop.includes(key) && (key !== 'required' || isNames(value)),
  )
  return {
    ...Object.fromEntries(kept),
    type: 'object',
    properties: Object.fromEntries(properties.map(([name, one]) => [name, isObject(one) ? one : {}])),
  }
}

/** The texts in a schema that are only there to be read. Names and values stay as they are. */
const readable = ['title', 'description', '$comment']

function withPlainWords(value: Json, depth: number): Json | undefined {
  if (depth > deepest) return undefined
  if (Array.isArray(value)) {
    const items = value.map((item) => withPlainWords(item, depth + 1))
    return items.includes(undefined) ? undefined : (items as Json[])
  }
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([key, inner]) => [
    key,
    readable.includes(key) && typeof inner === 'string' ? plainWords(inner) : withPlainWords(inner, depth + 1),
  ])
  return entries.some(([, inner]) => inner === undefined) ? undefined : (Object.fromEntries(entries) as JsonObject)
}
