import { z } from 'zod'
import type { Sampling } from '../port.ts'
import { each, unchecked, words } from './checked.ts'

const requestSchema = z.object({ systemPrompt: words, messages: unchecked })
const messageSchema = z.object({ role: z.enum(['user', 'assistant']), content: z.unknown() })
const partSchema = z.object({ type: z.string(), text: words })

/** What a server wants written, as one text. Only texts are passed on. Throws if the request can't be read. */
export function samplingOf(params: unknown): Sampling {
  const { systemPrompt = '', messages } = requestSchema.parse(params)
  const texts = each(messageSchema, messages, 'messages').flatMap(({ role, content }) =>
    each(partSchema, [content].flat(), 'content').flatMap(({ type, text = '' }) =>
      type === 'text' ? [`${role}: ${text}`] : [],
    ),
  )
  return { system: systemPrompt, text: texts.join('\n\n') }
}
