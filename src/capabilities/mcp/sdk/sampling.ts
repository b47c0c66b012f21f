import type { CreateMessageRequestParams } from '@modelcontextprotocol/sdk/types.js'
import type { Sampling } from '../port.ts'

/** What a server wants written, as one text. Only texts are passed on. */
export function samplingOf({ systemPrompt = '', messages }: CreateMessageRequestParams): Sampling {
  const texts = messages.flatMap(({ role, content }) =>
    [content].flat().flatMap((part) => (part.type === 'text' ? [`${role}: ${part.text}`] : [])),
  )
  return { system: systemPrompt, text: texts.join('\n\n') }
}
