import type { Message } from '../../domain/messages.ts'
import { tokensOfAll } from '../../turn/port/weigh.ts'
import type { ContextSettings } from './settings.ts'
import type { Measure } from './state.ts'
import { cut, type View } from './view.ts'

/** How much room a request has, and how much of it isn't for the history. */
export interface Room {
  /** In tokens, as the provider counts them. */
  budget: number
  /** The system prompt and the tools, as we estimate them. */
  fixed: number
  /** Our estimates are multiplied by this. */
  ratio: number
}

export const tokensWith = (sent: readonly Message[], { fixed, ratio }: Room): number =>
  Math.ceil((fixed + tokensOfAll(sent)) * ratio)

export function measureOf(sent: readonly Message[], room: Room): Measure {
  const tokens = tokensWith(sent, room)
  return { messages: sent.length, tokens, share: Math.round((tokens / Math.max(1, room.budget)) * 1000) / 1000 }
}

/** Estimated tokens that are left for the history. */
const forHistory = ({ budget, fixed, ratio }: Room): number => Math.max(0, budget / ratio - fixed)

/** Without a summary, messages may fill the first share of the history's room, and the second if they are few. */
const keptByCut = { tokens: 0.5, most: 0.7 }
/** Beside a summary, the latest messages fill at most this share of it. */
const mostOfRecent = 0.25

/** The latest messages, when there is no summary of the others. */
export function windowView(messages: readonly Message[], view: View, room: Room, windowMessages: number): View {
  const all = forHistory(room)
  const keep = { tokens: all * keptByCut.tokens, messages: windowMessages, most: all * keptByCut.most }
  return cut(messages, view, keep)
}

/** What stays beside a summary. */
export function recentView(
  messages: readonly Message[],
  view: View,
  room: Room,
  { recent, recentMessages }: Pick<ContextSettings, 'recent' | 'recentMessages'>,
): View {
  const all = forHistory(room)
  return cut(messages, view, { tokens: all * recent, messages: recentMessages, most: all * mostOfRecent })
}
