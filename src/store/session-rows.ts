import type { Person, ThreadRef } from '../domain/chat.ts'
import type { CallId, SessionId, TurnId } from '../domain/ids.ts'

export interface SessionRow {
  id: SessionId
  platform: string
  tenant: string
  project: string
  thread: string
  /** The session whose call opened it, with its turn and the call. Then `thread` is its name. */
  parent: SessionId | null
  parent_turn: TurnId | null
  parent_call: CallId | null
  /** Of a session with a parent. */
  max_steps: number | null
  title: string
  person: string
  time_zone: string
  /** The fencing token: acquiring a session adds one, and each write of a turn is checked against it. */
  epoch: number
  holder: string | null
  next_event: number
  next_message: number
  next_inbox: number
  next_outbox: number
  /** Whether the thread has messages from before the bot was mentioned, and whether they were read. */
  earlier: 'none' | 'wanted' | 'read'
  /** The model reads messages from this number on. */
  history_from: number
  model: string | null
  mode: 'plan' | null
  deleted_at: number | null
  was_thread: string | null
  /** JSON of the agents that have it; null if there was never one. */
  agents: string | null
  pinned_at: number | null
  /** The number of the next inbox event when it was archived: whatever comes in later brings it back. */
  archived_inbox: number | null
  created_at: number
  updated_at: number
}

export interface PromptRow {
  session_id: SessionId
  /** The hash of the beginning it shares with other prompts. */
  shared: string | null
  text: string
  /**
   * JSON of the sections the model was last told. Null while they are as they were at the start, and for older
   * sessions, which share nothing.
   */
  sections: string | null
  /** JSON of tool names. Null in the same cases as `sections`. */
  tools: string | null
}

/** The beginnings of prompts, by their hash. */
export interface SharedPromptRow {
  hash: string
  text: string
  sections: string
  tools: string
}

export interface TodosRow {
  session_id: SessionId
  todos: string
}

/** What of a session's history the model is sent. */
export interface ContextRow {
  session_id: SessionId
  /** Earlier messages are not sent any more. */
  from_seq: number
  /** An earlier one that is sent nevertheless: the latest request when they were left out. */
  pinned_seq: number | null
  /** Long results of tools before this number are left out. */
  pruned_to: number
  /** What is sent for what was left out. */
  summary: string | null
  /** The turn that last waited for a summary. */
  turn_id: TurnId | null
  /** For which beginning and level a summary was asked for. */
  started: string | null
  /** JSON of what was made in the background and takes effect at the next step. */
  ready: string | null
  /** JSON of what the latest ones achieved. */
  reports: string
  updated_at: number
}

/** The agents that have a thread. */
export interface HandedTo {
  /** The last one works; it got the thread from the one before. Empty: the bot itself works. */
  stack: string[]
  /** A person chose the first one, so only people take the thread from it. */
  chosen: boolean
  /** A person said `agents off`: no agent gets the thread until a person names one. */
  isOff?: true
  /** In which turn, and at which step of it, the last one took over. */
  turn?: TurnId
  step: number
  /** The call that handed it over. */
  call?: CallId
  /** Who works on the request of one turn. */
  route?: Routed
  /** Further requests of the same turn, which come after it. */
  waiting?: Omit<Routed, 'calls'>[]
}

/**
 * What becomes of a turn's request: agents work on it in sessions of their own, side by side or one after the other.
 */
export interface Routed {
  turn: TurnId
  /** `delegate`: the model hands it out; `none`: it was looked at, and nobody in particular is to do it. */
  how: 'parallel' | 'chain' | 'delegate' | 'none'
  /** '' for a subagent without a name. */
  agents: string[]
  /** The number of the message. */
  message: number
  /** The calls that were decided on, in the order of the agents. */
  calls: CallId[]
  /** Who had the thread when it was asked for, if others have got it since. */
  stack?: string[]
  /** A person said `agents off` meanwhile: they finish it, but don't go on with it once it was stopped. */
  isOff?: true
  /** It couldn't be found out who is to do it. */
  isUnknown?: true
}

/** An agent's work in a turn. */
export interface AgentRunRow {
  turn_id: TurnId
  /** The step it began at. */
  place: number
  session_id: SessionId
  /** '' for the bot itself. */
  agent: string
  version: string
  started_at: number
}

/** The call that opened a child session and waits for its end. */
export interface ParentCall {
  session: SessionId
  turn: TurnId
  call: CallId
}

/** A session as the rest of the bot sees it. */
export interface Session {
  id: SessionId
  /** Of a child: the thread of its parent, where people see it. */
  thread: ThreadRef
  /** Only of a child session. Its name is for people: `subagent-1a2b3c4d`. */
  parent?: ParentCall & { name: string; maxSteps: number }
  title: string
  /** Who began it. */
  person: Person
  timeZone: string
  createdAt: number
  updatedAt: number
  /** How many messages its history has, and the number of its latest event. */
  messages: number
  lastEvent: number
  /** Whether the thread has messages from before the bot was mentioned, and whether they were read. */
  earlier: 'none' | 'wanted' | 'read'
  /** The model reads messages from this number on. */
  historyFrom: number
  /** The slot of the model that was chosen for it. */
  model: string | undefined
  /** In plan mode, tools that change something aren't run. */
  mode: 'act' | 'plan'
  agents: HandedTo | undefined
  isPinned: boolean
  /** Set aside, until something new comes in. */
  isArchived: boolean
  isDeleted: boolean
}
