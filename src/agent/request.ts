import { z } from 'zod'
import type { JsonObject } from '../domain/json.ts'
import type { Message } from '../domain/messages.ts'
import type { ModelMessage, ToolDefinition } from '../domain/model.ts'
import type { Tool } from '../domain/tool.ts'

/** Messages as the model reads them, with what is new or passing appended to the last as `<system_reminder>`. */
export function toModelMessages(prompt: string, messages: Message[], reminders: string[]): ModelMessage[] {
  const sent: ModelMessage[] = [{ role: 'system', content: prompt }, ...messages.map(toModelMessage)]
  const last = sent.at(-1)
  if (reminders.length === 0 || last === undefined || last.role === 'system') return sent
  const reminder = `<system_reminder>\n${reminders.join('\n\n')}\n</system_reminder>`
  return [...sent.slice(0, -1), { ...last, content: `${last.content}\n\n${reminder}` }]
}

function toModelMessage(message: Message): ModelMessage {
  if (message.role === 'user') return { role: 'user', content: message.text }
  if (message.role === 'tool') return { role: 'tool', call: message.call, content: message.text }
  return { role: 'assistant', content: message.text, calls: message.calls }
}

/** Tool definitions in the order of the tools, which stays the same for a session: new ones are appended. */
export const toDefinitions = (tools: Tool[]): ToolDefinition[] =>
  tools.map(({ name, description, input }) => ({
    name,
    description,
    // zod's own type of a JSON schema is wider than JSON.
    parameters: z.toJSONSchema(input, { io: 'input' }) as JsonObject,
  }))
