import type { Message } from '../../domain/messages.ts'
import { tokensOf } from '../../turn/port/weigh.ts'
import type { Measured } from './measure.ts'
import { tokensWith } from './room.ts'

/** Where a context's tokens go. */
export interface Breakdown {
  system: number
  tools: number
  user: number
  assistant: number
  results: number
  total: number
  budget: number
}

export function breakdown(measured: Measured): Breakdown {
  const { sent, room, system, tools } = measured
  const of = (role: Message['role']) =>
    sent.reduce((sum, message) => (message.role === role ? sum + tokensOf(message) : sum), 0)
  const scaled = (tokens: number) => Math.round(tokens * room.ratio)
  return {
    system: scaled(system),
    tools: scaled(tools),
    user: scaled(of('user')),
    assistant: scaled(of('assistant')),
    results: scaled(of('tool')),
    total: tokensWith(sent, room),
    budget: room.budget,
  }
}

const names = {
  system: 'system',
  tools: 'tools',
  user: 'people',
  assistant: 'answers',
  results: 'results',
} as const

const width = 24

/** A bar for each part, in text: its share of the budget. */
export function picture(parts: Breakdown): string {
  const free = Math.max(0, parts.budget - parts.total)
  const rows = [
    ...(Object.keys(names) as (keyof typeof names)[]).map((key) => [names[key], parts[key]] as const),
    ['free', free] as const,
  ]
  return rows.map(([name, tokens]) => `${name.padEnd(8)} ${bar(tokens, parts.budget)} ${amount(tokens)}`).join('\n')
}

function bar(tokens: number, budget: number): string {
  const share = Math.min(1, tokens / Math.max(1, budget))
  // A part that isn't empty always shows.
  const full = tokens === 0 ? 0 : Math.max(1, Math.round(share * width))
  return '█'.repeat(full) + '░'.repeat(width - full)
}

const amount = (tokens: number): string => tokens.toLocaleString('en').padStart(9)
