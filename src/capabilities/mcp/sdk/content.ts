import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import type { Json, JsonObject } from '../../../kit/json.ts'
import type { Content, ListedTool, McpResult } from '../port.ts'
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

export const resultOf = ({ content, structuredContent, isError = false }: CallToolResult): McpResult => ({
  content: content.map(contentOf),
  structured: structuredContent as Json | undefined,
  isError,
})

export function contentOf(part: CallToolResult['content'][number]): Content {
  switch (part.type) {
    case 'text':
      return { kind: 'text', text: part.text }
    case 'image':
    case 'audio':
      return { kind: 'file', name: '', type: part.mimeType, base64: part.data }
    case 'resource_link':
      return { kind: 'link', name: part.name, uri: part.uri, description: part.description ?? '' }
    case 'resource': {
      const { uri, mimeType = 'application/octet-stream' } = part.resource
      return 'text' in part.resource
        ? { kind: 'text', text: `[The resource ${uri}]\n${part.resource.text}` }
        : {
            kind: 'file',
            name: uri.split(/[/?#]/).findLast((one) => one !== '') ?? '',
            type: mimeType,
            base64: part.resource.blob,
          }
    }
  }
}
