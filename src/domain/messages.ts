import { type Json, type JsonObject, parseJson } from '../kit/json.ts'
import type { Person, WorkspaceFile } from './chat.ts'
import type { CallId, TurnId } from './ids.ts'

/**
 * A tool call as the model asked for it. `arguments` is the model's own text, which may not be JSON. `extra` is opaque:
 * its provider's own, for that model only.
 */
export interface ToolCall {
  id: CallId
  name: string
  arguments: string
  extra?: JsonObject
  /** With the last call of a step: how many more the model made, which were too many to run. */
  unrun?: number
}

/** The arguments as a value, or as the model's own text if they aren't JSON. */
export function inputOf(call: Pick<ToolCall, 'arguments'>): Json {
  try {
    return parseJson(call.arguments || '{}')
  } catch {
    return call.arguments
  }
}

/** What a message that somebody took back says. */
export const deletedText = '(deleted)'

/** Longer arguments are compared character by character. */
const mostCompared = 20_000

/** The same text for calls that ask for the same thing, however their arguments are written. */
export function sameCall(call: Pick<ToolCall, 'name' | 'arguments'>): string {
  const input = call.arguments.length > mostCompared ? call.arguments : inOrder(inputOf(call))
  return JSON.stringify([call.name, input])
}

function inOrder(value: Json): Json {
  if (Array.isArray(value)) return value.map(inOrder)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(
    Object.keys(value)
      .toSorted()
      .map((key) => [key, inOrder(value[key] as Json)]),
  )
}

interface Stored {
  /** Position in the session, from 1. */
  seq: number
  turn: TurnId
  at: number
  /** How many model calls it is sent to, as a plug-in said. Missing: as long as it is in the window. */
  rounds?: number
}

/** How many tokens a request to the model had: as the provider counted them, if it did, and as we estimated them. */
export interface RequestSize {
  tokens?: number
  estimate: number
}

/** What goes back with a reply's calls to the model that made them, and to no other. Nobody else is shown it. */
export interface Along {
  /** What it reasoned before. */
  thought?: string
  /** Missing if nothing goes back. */
  model?: string
}

/** A message of a session's history. Everything else is derived from messages. */
export type Message =
  | (Stored & { role: 'user'; text: string; person?: Person; origin: MessageOrigin; files: WorkspaceFile[] })
  /** `request`: what it answers; missing for older ones, and for what the model didn't say or call itself. */
  | (Stored & { role: 'assistant'; text: string; calls: ToolCall[]; request?: RequestSize } & Along)
  /** `program`: not the tool's result, but what happened to the call, such as a denial. */
  | (Stored & { role: 'tool'; text: string; call: CallId; program?: boolean })

/**
 * Where a message to the model comes from: a person, an alarm, a resumption, a note by the program about an earlier
 * message, somebody before the bot was mentioned, somebody's answer that names or brings something, the call that
 * opened a child session, the program about changed instructions, a model that describes images for one that can't see
 * them, or a plug-in (`plugin:<name>`).
 */
export type MessageOrigin =
  | 'person'
  | 'alarm'
  | 'resume'
  | 'note'
  | 'earlier'
  | 'answer'
  | 'task'
  | 'prompt'
  | 'seen'
  | `plugin:${string}`
