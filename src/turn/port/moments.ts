import type { CallId, SessionId, TurnId } from '../../domain/ids.ts'
import type { Reply, SlotName, Usage } from '../../kit/model/model.ts'
import type { CallStatus } from './calls.ts'

/** Where something happens. Texts that are written aside belong to no turn. */
export interface MomentPlace {
  session: SessionId
  turn?: TurnId
}

/** A request to a model, with all its attempts. Each is an object of its own, which tells it apart from the others. */
export interface AskedModel {
  slot: SlotName
  name: string
}

/** How a process leaves a turn: `interrupted` if it was stopped, or continues later or elsewhere. */
export type Left = 'done' | 'waiting' | 'failed' | 'interrupted'

/** What happens in a turn, without any words of people or models. */
export type Moment =
  /** A process begins the turn, or continues it after a wait or a crash. */
  | { kind: 'taken'; platform: string; steps: number }
  /** `code`: why it failed. */
  | { kind: 'left'; how: Left; code?: string | undefined }
  /** A model is about to be asked for the next step, numbered from 1. */
  | { kind: 'step'; number: number }
  | { kind: 'asked'; model: AskedModel }
  /** The first piece of an attempt's reply has come. */
  | { kind: 'first piece'; model: AskedModel }
  | { kind: 'retry'; model: AskedModel; code: string; waitMs: number }
  /** `nanos`: what it cost, in billionths of a US dollar, if its price is known. */
  | { kind: 'replied'; model: AskedModel; usage: Usage | undefined; nanos: number | undefined; finish: Reply['finish'] }
  | { kind: 'not replied'; model: AskedModel; code: string }
  | { kind: 'call started'; call: CallId; tool: string }
  /** `tool` is undefined if there is none of that name. A call that was refused has never started. */
  | { kind: 'call ended'; call: CallId; tool: string | undefined; status: CallStatus }

/** Watches what happens in one bot's turns. Nothing waits for it, and it changes nothing. */
export interface Watcher {
  see(moment: Moment, place: MomentPlace): void
  /** Addresses of its own outside `/api/v1`. */
  endpoints?: readonly Endpoint[]
  /** Called once, before the first turn. */
  start?(): Promise<void>
  stop?(): Promise<void>
}

/** An address such as `/metrics`, with the same access checks as the console. */
export interface Endpoint {
  path: string
  /** Whoever has it may read this address, and nothing else. */
  token?: string | undefined
  answer(request: Request): Response | Promise<Response>
}
