import type { Person } from '../../domain/chat.ts'
import type { Engine } from '../../domain/engine.ts'
import type { Tool } from '../../domain/tool.ts'
import type { Clock } from '../../kit/clock.ts'
import { isSlotName, type Model, type Price, type SlotName } from '../../kit/model/model.ts'
import type { LiveTexts } from '../../outbound/live-texts.ts'
import type { ChatPlatform } from '../../platforms/platform.ts'
import type { ProjectRef, Session } from '../../store/sessions.ts'
import type { Store, Tx } from '../../store/store.ts'
import type { Rules } from '../../trust/rules.ts'
import type { IsMember } from '../../trust/who.ts'
import type { Workspaces } from '../../workspace/workspaces.ts'

export interface NamedModel {
  model: Pick<Model, 'name' | 'contextLimit' | 'outputLimit' | 'practice'>
  price: Price | undefined
}

export interface CommandDeps {
  /** All session commands. */
  commands: readonly Command[]
  store: Store
  engine: Engine
  liveTexts: LiveTexts
  rules: Rules
  isMember: IsMember
  clock: Clock
  workspaces: Workspaces
  platforms: ReadonlyMap<string, ChatPlatform>
  /** The configured models by slot; `base` is always there. */
  models: ReadonlyMap<SlotName, NamedModel>
  toolbox: EnabledTools
  /** The shortest allowed interval of a repeating alarm. */
  alarmGapMs: number
  idleWorkspaceDays: number
}

/** The enabled tools of the bot: all that there are anywhere, or those for the threads of a place. */
export interface EnabledTools {
  in(where: ProjectRef): EnabledTools
  /** Even if they lack something. */
  readonly all: Tool[]
  /** Loaded into a thread only when a person names them. */
  readonly byName: Tool[]
  /** Tools of servers that requests have no room for: models are told their names, and load them. */
  readonly crowded: Tool[]
  /** Why one can't be used in this installation; undefined when it can. */
  lacks(name: string): string | undefined
}

export interface CommandContext {
  person: Person
  project: ProjectRef
  /** IANA name, if known. */
  timeZone: string | undefined
  argument: string
  /** The thread it was given in, if any. */
  session: Session | undefined
  /** The turn it is about, if it was given by a button of that turn. */
  turn?: string | undefined
  /** The message that somebody reacted to with it, by its id on the platform. */
  message?: string | undefined
  /** When it was given, by the platform's clock, ms. */
  at?: number | undefined
  deps: CommandDeps
}

export interface ThreadContext extends CommandContext {
  session: Session
}

/**
 * A command either says something, or changes rows and says what it did. The change and the mark that it is done are
 * one transaction.
 */
export type CommandResult =
  | string
  | {
      act(tx: Tx): Promise<string>
      /** The thread that it changes when it wasn't given in one. */
      in?: Session
      /** Interrupts the session's run after the commit. */
      interrupts?: boolean
    }

interface CommandBase {
  name: string
  /** A few words for `help`. */
  summary: string
  /** What may follow the name. If it isn't one of `choices`, the command says itself what is wrong with it. */
  argument?: { name: string; pattern: Pick<RegExp, 'test'>; choices?: readonly string[] }
}

export interface ThreadCommand extends CommandBase {
  about: 'thread'
  run(context: ThreadContext): Promise<CommandResult>
}

/** One that can also be given outside a thread. */
interface ChannelCommand extends CommandBase {
  about: 'channel'
  run(context: CommandContext): Promise<CommandResult>
}

export type Command = ThreadCommand | ChannelCommand

/** An argument that is one of a few words, in any case. The first names it. */
export const oneOf = (...choices: readonly [string, ...string[]]): NonNullable<Command['argument']> => ({
  name: choices[0],
  pattern: new RegExp(`^(?:${choices.join('|')})$`, 'i'),
  choices,
})

/** The thread as a Markdown link, if the platform has links. */
export function threadLink({ deps, project }: CommandContext, session: Session, words: string): string {
  const link = deps.platforms.get(project.platform)?.link(session.thread)
  return link === undefined ? words : `[${words.replace(/[[\]\\]/g, '')}](${link})`
}

/** The model that answers in a session: the chosen one, as long as it is configured. */
export function modelOf(
  { model = 'base' }: Session,
  { models }: Pick<CommandDeps, 'models'>,
): NamedModel & { slot: SlotName } {
  const slot = isSlotName(model) && models.has(model) ? model : 'base'
  return { ...(models.get(slot) ?? baseOf({ models })), slot }
}

export function baseOf({ models }: Pick<CommandDeps, 'models'>): NamedModel {
  const base = models.get('base')
  if (base === undefined) throw new Error('there is no base model')
  return base
}

/** `1 turn`, `2 turns`. */
export const counted = (count: number, thing: string): string => `${count} ${thing}${count === 1 ? '' : 's'}`

/** The part of a session's id that people type; in practice it is unique. */
export const shortId = (session: Session): string => session.id.slice('ses_'.length, 'ses_'.length + 14)
