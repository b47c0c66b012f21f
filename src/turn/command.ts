import type { Person } from '../domain/chat.ts'
import type { Engine } from '../domain/engine.ts'
import type { Clock } from '../kit/clock.ts'
import type { Model } from '../kit/model/model.ts'
import type { LiveTexts } from '../outbound/live-texts.ts'
import type { ChatPlatform } from '../platforms/platform.ts'
import type { ProjectRef, Session } from '../store/sessions.ts'
import type { Store, Tx } from '../store/store.ts'
import type { Rules } from '../trust/rules.ts'
import type { IsMember } from '../trust/who.ts'
import type { Workspaces } from '../workspace/workspaces.ts'

export interface ModelSlot {
  model: Pick<Model, 'name' | 'contextLimit'>
  /** US dollars for a million tokens. */
  price: { input: number; cached?: number; output: number } | undefined
}

export interface CommandDeps {
  /** All session commands. */
  commands: readonly Command[]
  store: Store
  engine: Engine
  live: LiveTexts
  rules: Rules
  isMember: IsMember
  clock: Clock
  workspaces: Workspaces
  platforms: ReadonlyMap<string, ChatPlatform>
  /** The configured ones, by slot; `base` is always there. */
  models: ReadonlyMap<string, ModelSlot>
  /** A repeating alarm rings at most so often. */
  alarmGapMs: number
  windowMessages: number
  idleWorkspaceDays: number
}

export interface CommandContext {
  person: Person
  place: ProjectRef
  /** IANA name, where it is known of this person. */
  timeZone: string | undefined
  argument: string
  /** The thread in which it was given; always there for a command about a thread. */
  session: Session | undefined
  deps: CommandDeps
}

/** What a command does: says something, or changes rows in the transaction in which it is marked as done, and says what. */
export type CommandResult =
  | string
  | {
      act(tx: Tx): Promise<string>
      /** Ends the session's run at once, after the commit. */
      interrupts?: boolean
    }

export interface Command {
  name: string
  /** In a few words, for `help`. */
  summary: string
  /** What may follow the name. */
  argument?: { name: string; pattern: Pick<RegExp, 'test'> }
  about: 'thread' | 'channel'
  run(context: CommandContext & { session: Session }): Promise<CommandResult>
}

/** Address of a thread as a Markdown link, where the platform has one. */
export function threadLink({ deps, place }: CommandContext, session: Session, words: string): string {
  const link = deps.platforms.get(place.platform)?.link(session.thread)
  return link === undefined ? words : `[${words.replace(/[[\]\\]/g, '')}](${link})`
}

/** What answers in a session: what was chosen, as long as it is configured. */
export function modelOf(
  { model = 'base' }: Session,
  { models }: Pick<CommandDeps, 'models'>,
): ModelSlot & { slot: string } {
  const slot = models.has(model) ? model : 'base'
  const found = models.get(slot)
  if (found === undefined) throw new Error('there is no base model')
  return { ...found, slot }
}

/** `1 turn`, `2 turns`. */
export const counted = (count: number, thing: string): string => `${count} ${thing}${count === 1 ? '' : 's'}`

/** A session's id as people write it: enough of it to be unique in practice. */
export const shortId = (session: Session): string => session.id.slice('ses_'.length, 'ses_'.length + 14)
