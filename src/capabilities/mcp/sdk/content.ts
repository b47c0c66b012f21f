import { z } from 'zod'
import type { Json, JsonObject } from '../../../kit/json.ts'
import { counted } from '../../../kit/text/shown.ts'
import type { Content, ListedTool, McpResult } from '../port.ts'
import { each, mostParts, unchecked, words } from './checked.ts'
import type { Tool } from './list.ts'

type Mask = (text: string) => string

/** Masked before anything is kept or cut, because nobody would recognize a part of a secret. */
export const listedTool = (
  { name, title, description = '', inputSchema, annotations }: Tool,
  mask: Mask,
): ListedTool => ({
  name,
  ...(title !== undefined && { title: mask(title) }),
  description: mask(description),
  // It came as JSON.
  parameters: maskedJson(inputSchema as JsonObject, mask) as JsonObject,
  destructive: annotations?.destructiveHint === true && annotations.readOnlyHint !== true,
})

/** Names too, because they are the server's as well. */
function maskedJson(value: Json, mask: Mask): Json {
  if (typeof value === 'string') return mask(value)
  if (Array.isArray(value)) return value.map((item) => maskedJson(item, mask))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [mask(name), maskedJson(inner, mask)]))
}

/** What is used of a result. The SDK's own schema describes all faults of a broken one. */
export const resultSchema = z.object({
  content: unchecked.nullish(),
  structuredContent: z.unknown().optional(),
  isError: z.boolean().nullish(),
})

export const resultOf = ({ content, structuredContent, isError }: z.infer<typeof resultSchema>): McpResult => ({
  content: someOf(content ?? [], partSchema, 'content', contentOf),
  structured: (structuredContent ?? undefined) as Json | undefined,
  isError: isError ?? false,
})

/** What there is in a list, up to a limit; then a line tells how much is left out. */
export function someOf<Part>(
  parts: unknown[],
  schema: z.ZodType<Part>,
  name: string,
  contentOf: (part: Part) => Content | Content[],
): Content[] {
  const all = each(schema, parts.slice(0, mostParts), name).flatMap(contentOf)
  const more = parts.length - mostParts
  if (more <= 0) return all
  return [...all, { kind: 'text', text: `[${counted(more, 'more part')} left out: at most ${mostParts} are read.]` }]
}

/** Some servers make it a data URL. */
const base64 = z
  .string()
  .transform((data) => data.replace(/^data:[^,]{0,200};base64,/i, ''))
  .refine((data) => /^[\w+/=\s-]*$/.test(data), 'isn’t base64')

export const resourceSchema = z
  .object({ uri: z.string(), mimeType: words, text: words, blob: base64.nullish() })
  .refine(({ text, blob }) => (text ?? blob) != null, 'has neither text nor blob')

export const partSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text'), text: z.string() }),
  z.object({ type: z.enum(['image', 'audio']), mimeType: z.string(), data: base64 }),
  z.object({ type: z.literal('resource_link'), name: z.string(), uri: z.string(), description: words }),
  z.object({ type: z.literal('resource'), resource: resourceSchema }),
])

export function contentOf(part: z.infer<typeof partSchema>): Content {
  switch (part.type) {
    case 'text':
      return { kind: 'text', text: part.text }
    case 'image':
    case 'audio':
      return { kind: 'file', name: '', type: part.mimeType, base64: part.data }
    case 'resource_link':
      return { kind: 'link', name: part.name, uri: part.uri, description: part.description ?? '' }
    case 'resource':
      return resourceOf(part.resource)
  }
}

export function resourceOf({ uri, mimeType, text, blob }: z.infer<typeof resourceSchema>): Content {
  if (text !== undefined) return { kind: 'text', text: `[The resource ${uri}]\n${text}` }
  const name = uri.split(/[/?#]/).findLast((one) => one !== '') ?? ''
  return { kind: 'file', name, type: mimeType ?? 'application/octet-stream', base64: blob ?? '' }
}
