import type { Json } from '../kit/json.ts'
import type { Person, WorkspaceFile } from './chat.ts'
import type { GrantChoice, GrantOffer } from './grant.ts'
import type { AlarmId, CallId, GrantId, MessageId, PlanId, RequestId, SessionId, TextId, TurnId } from './ids.ts'
import type { PlanStatus } from './plan.ts'
import type { ClarificationKind, DecisionKind, Question, Risk, Vote } from './question.ts'
import type { SourcePage } from './tool.ts'

interface QuestionAsked extends Omit<Question, 'decision' | 'clarification' | 'loop'> {
  turn_id: TurnId
  request_id: RequestId
  call_id: CallId
  /** ISO time, when there is a timeout. */
  deadline_at?: string
}

interface QuestionAnswered {
  turn_id: TurnId
  request_id: RequestId
  call_id: CallId
  /** What the model will read. */
  answer: string
  option_ids: string[]
  /** Answers to the further questions, in order. */
  also?: { text: string; option_ids: string[] }[]
  /** Missing when nobody answered: see `by`. */
  person?: Person
  by: 'person' | 'deadline' | 'stop'
  declined?: boolean
}

interface ContextMeasure {
  messages: number
  tokens: number
  share: number
}

/** What becomes of a repeated call; `correct` means the person wrote something else. */
export type LoopAction = 'stop' | 'continue' | 'correct' | 'skip'

/** What screens are told, by type. The names are those on the wire. */
export interface EventData {
  start: { turn_id: TurnId; reason: 'message' | 'alarm' | 'resume' }
  /** Something said in the thread: by a person, by an alarm, or by the bot. */
  message: {
    message_id: MessageId
    role: 'user' | 'assistant' | 'alarm'
    text: string
    files: WorkspaceFile[]
    person?: Person
    turn_id?: TurnId
    alarm_id?: AlarmId
  }
  thought: { turn_id: TurnId; text: string }
  text_start: { turn_id: TurnId; text_id: TextId }
  /** Never stored. `whole`: the text so far, replacing what was shown of it. */
  text_delta: { turn_id: TurnId; text_id: TextId; delta: string; whole?: true }
  /** `discarded`: the model started over after a broken stream, and what was shown doesn't count. */
  text_end: { turn_id: TurnId; text_id: TextId; text: string; discarded?: boolean }
  /** `title`: what the call does, in words. */
  act: { turn_id: TurnId; call_id: CallId; tool_name: string; tool_input: Json; attempt: number; title?: string }
  /** What a running call prints, as it comes. May be lost. */
  output: { turn_id: TurnId; call_id: CallId; text: string }
  observe: {
    turn_id: TurnId
    call_id: CallId
    tool_name: string
    status: 'done' | 'failed' | 'denied' | 'unknown'
    result: string
    duration_ms?: number
    /** The web pages that the result comes from. */
    sources?: readonly SourcePage[]
  }
  permission_asked: {
    turn_id: TurnId
    request_id: RequestId
    call_id: CallId
    tool_name: string
    tool_input: Json
    reason: string
    risk: Risk
    unclear: string[]
    hosts: string[]
    writes?: string[]
    runs: string[]
    /** Their contents, cut. */
    scripts?: { path: string; text: string }[]
    /** What "always" would allow; missing when it isn't offered. */
    grants?: GrantOffer
    /** Who decides, for people, and how many are needed. */
    who: string
    needed: number
    votes: Vote[]
    deadline_at?: string
  }
  /** One of several votes that are needed. */
  permission_voted: {
    turn_id: TurnId
    request_id: RequestId
    call_id: CallId
    person: Person
    votes: number
    needed: number
  }
  /** The deciders were reminded, or others are asked now. */
  permission_moved: {
    turn_id: TurnId
    request_id: RequestId
    call_id: CallId
    who: string
    needed: number
    escalated: boolean
  }
  permission_replied: {
    turn_id: TurnId
    request_id: RequestId
    call_id: CallId
    decision: 'approve' | 'deny'
    reason?: string
    instead?: string
    always?: GrantChoice
    person?: Person
    by: 'person' | 'stop' | 'deadline'
  }
  question_asked: QuestionAsked
  question_answered: QuestionAnswered
  decision_asked: QuestionAsked & { decision: DecisionKind }
  decision_answered: QuestionAnswered
  clarification_asked: QuestionAsked & { category: ClarificationKind }
  clarification_answered: QuestionAnswered
  /** The same call keeps coming, so a person is asked what to do. `times` includes this one. */
  doom_loop_detected: QuestionAsked & { tool_name: string; times: number }
  doom_loop_intervened: QuestionAnswered & { action: LoopAction }
  /** The turn pauses until these are answered. `queued`: a message arrived meanwhile and is read afterwards. */
  waiting: { turn_id: TurnId; request_ids: RequestId[]; queued?: boolean }
  /** What the turn has said so far is an answer of its own; the rest belongs to its next message. */
  said: { turn_id: TurnId; message_id: MessageId; files?: WorkspaceFile[] }
  /** Messages in the thread from before the bot was mentioned. */
  imported: { turn_id: TurnId; messages: number }
  /** A message was edited; `text` is null when it was deleted. */
  changed: { message_id: MessageId; text: string | null; person: Person }
  /** Somebody went back to this message: it and what came after it no longer count. A new one follows. */
  undone: { message_id: MessageId; person: Person }
  /** The model reads only what is said from now on: messages from number `from`, which older events don't tell. */
  reset: { person: Person; from?: number }
  /** The thread and its files were deleted. Only events about the deletion follow. */
  deleted: { person: Person }
  granted: { grant_id: GrantId; tool_name: string; person: Person }
  revoked: { grant_id: GrantId; tool_name: string; person: Person }
  /** Tools the model has from now on, because a person named them. */
  tools_loaded: { tools: string[] }
  /** Skills that the thread has from now on, because a person or the model named them. */
  skill_activated: { skills: string[] }
  /** Skills that a message brought with it without naming them. */
  /** A call has opened a child session: its name for people, and where its own events are. */
  subagent_assigned: { turn_id: TurnId; call_id: CallId; name: string; conversation_id: SessionId; task: string }
  skill_matched: { skills: { name: string; mode: string; score: number }[] }
  /** A matched skill has these tools run, in order, before the model is asked. */
  skill_execution_start: { turn_id: TurnId; skill: string; tools: string[] }
  skill_tool_start: { turn_id: TurnId; skill: string; tool_name: string }
  skill_tool_result: { turn_id: TurnId; skill: string; tool_name: string; status: 'done' | 'failed' }
  skill_execution_complete: { turn_id: TurnId; skill: string }
  /** One of them failed, so the model goes on by itself. */
  skill_fallback: { turn_id: TurnId; skill: string; tool_name: string }
  /** A plan of the turn as it is now, each time that something in it changes. */
  work_plan: {
    turn_id: TurnId
    plan_id: PlanId
    title: string
    status: PlanStatus
    one_by_one: boolean
    why?: string
    words: string[]
    /** The call with which people are asked about it, before it runs. */
    asked_by?: CallId
    steps: {
      step: number
      what: string
      gives: string
      after: number[]
      status: PlanStatus
      attempt: number
      agent?: string
      words: string[]
      /** The call that works for it, or did so last. */
      call_id?: CallId
    }[]
  }
  /** An attempt at a step of a plan begins, and ends. */
  step_start: { turn_id: TurnId; plan_id: PlanId; step: number; what: string; attempt: number; call_id?: CallId }
  step_end: { turn_id: TurnId; plan_id: PlanId; step: number; status: PlanStatus; attempt: number; call_id?: CallId }
  /** Nothing more is tried for a step. */
  step_finish: { turn_id: TurnId; plan_id: PlanId; step: number; status: PlanStatus }
  /** A capability's own event, in the shape it describes. */
  custom: { turn_id: TurnId; capability: string; event: string; data: Json }
  /** What a model call cost. Only for models whose price is known. */
  cost_update: {
    turn_id: TurnId
    slot: string
    model: string
    tokens_in: number
    tokens_cached: number
    tokens_written: number
    tokens_out: number
    tokens_reasoning: number
    usd: number
  }
  /** What of the history the model is sent became less. Tokens are estimates; `share` is of what it may be sent. */
  context_compressed: {
    turn_id: TurnId
    strategy: 'compact' | 'summarize' | 'cut'
    before: ContextMeasure
    after: ContextMeasure
  }
  feedback: { message_id: string; value: 'good' | 'bad'; reason?: string; person: Person }
  stopped: { turn_id: TurnId; person?: Person }
  /**
   * `model` gave the answer. Tokens are those of the whole turn, as the provider counted them; missing if it didn't.
   */
  complete: {
    turn_id: TurnId
    content: string
    files: WorkspaceFile[]
    steps: number
    model?: string
    tokens_in?: number
    tokens_out?: number
  }
  error: { turn_id: TurnId; code: string; message: string; remedy: string }
  /** `words`: what the thread is told when `message` is for the operator. */
  warning: { turn_id?: TurnId; code: string; message: string; words?: string }
}

export type EventType = keyof EventData

type Told = { [Type in EventType]: { type: Type; data: EventData[Type] } }[EventType]

export type NewEvent = Exclude<Told, { type: 'text_delta' }>

/** The envelope on the wire. `event_id` counts from 1 in each session and is the SSE id. */
export type SessionEvent = NewEvent & {
  timestamp: string
  conversation_id: SessionId
  event_id: number
}

/** Something that is told while it happens and isn't stored, so it has no number. */
export interface LiveEvent {
  type: 'text_delta'
  data: EventData['text_delta']
  timestamp: string
  conversation_id: SessionId
  event_id?: undefined
}

export type ToldEvent = SessionEvent | LiveEvent

/** The last event of a turn, or the last before it pauses. */
export const endsStream = (type: EventType): boolean =>
  type === 'complete' || type === 'stopped' || type === 'error' || type === 'waiting'
