import type { Message } from '../domain/messages.ts'

/** How many rounds each plug-in has asked for since a person's latest message, and whether that led to tool calls. */
export function roundsOf(history: Message[]): { of(plugin: string): number; withCalls: boolean } {
  const asked = history.findLastIndex((message) => message.role === 'user' && message.origin === 'person')
  const since = history.slice(asked + 1)
  return {
    of: (plugin) => since.filter((message) => message.role === 'user' && message.origin === `plugin:${plugin}`).length,
    withCalls: since.some(({ role }) => role === 'tool'),
  }
}
