import type { CallToolResult, Tool } from '@modelcontextprotocol/sdk/types.js'
import type { Json, JsonObject } from '../../../kit/json.ts'
import type { Content, ListedTool, McpResult } from '../port.ts'

export const listedTool = ({ name, title, description = '', inputSchema, annotations }: Tool): ListedTool => ({
  name,
  ...(title !== undefined && { title }),
  description,
  // The SDK has checked that it is an object that came as JSON.
  parameters: inputSchema as JsonObject,
  destructive: annotations?.destructiveHint === true && annotations.readOnlyHint !== true,
})

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
