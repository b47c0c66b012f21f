import type { z } from 'zod'
import { Failure } from '../kit/failure.ts'
import type { Json, JsonObject } from '../kit/json.ts'
import type { Web } from '../kit/web/port.ts'
import type { Person } from './chat.ts'
import type { CallId, SessionId, TurnId } from './ids.ts'
import type { Inspection, Pinned } from './inspection.ts'
import type { AskedQuestion, Question, QuestionAnswer } from './question.ts'
import type { Workspace } from './workspace.ts'

/** What a tool affects: nothing, the workspace or our own store, or anything else. The policy starts from this. */
export type Effect = 'read' | 'write' | 'external'

/** What the operator has set up. */
export interface Installation {
  web: Web
}

interface ToolBase<Input> {
  name: string
  description: string
  input: z.ZodType<Input>
  /** What a call does, for people who watch: “Reading uploads/a.md”. Missing: its name and its first argument. */
  doing?(input: Input): string
  /** The JSON schema that the model is shown, if it doesn't come from `input`. */
  parameters?: JsonObject
  effect: Effect
  /** True when running it twice with the same input does no more than once. Then it is run again after a crash. */
  repeatable?: boolean
  /**
   * True when repeated calls with the same arguments are normal, because it reports something that changes by itself,
   * such as the time or a job. Such calls never count as a loop.
   */
  polls?: boolean
  /**
   * How many model calls its calls and results are sent to before they are left out. Missing: as long as there is room.
   */
  rounds?: number
  /** Loaded into a thread when a person names it, as if `config/tools.yaml` said so. */
  byName?: boolean
  /**
   * Rarely needed: the model is told its name, and shown the whole once it loads it. Calls of it are accepted at once.
   */
  onDemand?: boolean
  /** Loaded into a thread only by its capability: people aren't told of it, and can't name it. */
  unlisted?: boolean
  /** Never taken away from a thread that has it, since nothing would go on without it. */
  stays?: boolean
  /** The MCP server it belongs to. */
  server?: string
  /** Covers which program or address it belongs to, and what it is called there. A grant holds for this one only. */
  identity?: string
  /** A child session doesn't get it, because only people's own threads should have it. */
  onlyInThreads?: boolean
  /** It is gone. Threads that were offered it keep it, so that their tools don't change. */
  retired?: boolean
  /**
   * May run in plan mode, because it only looks, or changes nothing but the bot's own notes. Missing: only if it reads.
   */
  inPlanMode?: boolean
  /** A person agrees to each call, whatever the rules say of its risk. `approvals: false` still asks nobody. */
  confirmed?: boolean
  /** Missing: the default of `config/bobbin.yaml`. */
  timeoutMs?: number
  /** From `config/tools.yaml`. */
  tags?: readonly string[]
  /** True when it pages its result and says how to read on, so the pipeline doesn't cut it. */
  pages?: boolean
  /** The workspace paths it touches. The policy looks at them, and calls of one step on the same path run in order. */
  paths?(input: Input): string[]
  /** What a call would do, for the policy. Without it, patterns match its paths, or its arguments as JSON. */
  inspect?(input: Input): Inspection
  /**
   * What a workspace file that a call runs would do, if that can be told. Its commands are judged together with the
   * call's own.
   */
  inspectFile?(path: string, text: string, call: Inspection): Inspection | undefined
  /**
   * Who wrote the content of its result, for the label the model reads: `the page https://…`. Missing: the program
   * itself.
   */
  source?(input: Input): string
  /** The web pages that a result comes from, for people. */
  sources?(input: Input, result: string): readonly SourcePage[]
  /**
   * True when its results can't contain anything that the model wrote itself, so that addresses in them are others'.
   */
  foreign?: boolean
  /** The skill that a call is about. */
  skillOf?(input: Input): string
  /** The tasks that a call hands out: to which agents, and with which skills. */
  handsOut?(input: Input): readonly { agent?: string | undefined; skills?: readonly string[] | undefined }[]
  /** Why it can't be used in this installation, with the setting that would help. The model isn't offered it then. */
  lacks?(installation: Installation): string | undefined
  /**
   * True when it runs programs: in the closed sandbox unless a person approved the call. Without a sandbox, every call
   * is asked.
   */
  runsPrograms?: boolean
  /** True when a call can send something out, so it needs approval once the thread has untrusted content. */
  sends?: boolean
}

/** A page on the web that a call has read or found. */
export interface SourcePage {
  url: string
  title: string
}

/**
 * What a tool throws when nobody knows whether it took effect. Unless it only reads or is repeatable, the call then
 * ends as unknown and isn't tried again.
 */
export class UnknownOutcome extends Failure {}

/**
 * A tool that does something. When it fails it throws, and the pipeline turns that into text for the model. `Own` is
 * what its capability gives it besides the usual context.
 */
export interface RunTool<Input, Own = object> extends ToolBase<Input> {
  kind: 'run'
  /** Throws if a call can't be made here, so that nobody is asked about it. */
  check?(input: Input, own: Own & Pick<ToolContext, 'workspace'>): void | Promise<void>
  /**
   * What people see, before they approve a call, of a file it runs; missing: its text. An error refuses the call, so
   * nobody is asked about something that can't be done.
   */
  showFile?(
    file: { path: string; bytes: Uint8Array },
    input: Input,
    own: Own,
  ): Promise<{ path: string; bytes: Uint8Array }[]>
  run(input: Input, context: ToolContext & Own): Promise<string>
}

/** A tool whose result is a person's answer. */
export interface AskTool<Input> extends ToolBase<Input> {
  kind: 'ask'
  question(input: Input): AskedQuestion
}

/** A tool that ends the turn; its text is the answer. */
export interface EndTool<Input> extends ToolBase<Input> {
  kind: 'end'
  answer(input: Input): string
}

/** What a child session does: a session of its own in the same workspace, which the call that opened it waits for. */
export interface ChildTask {
  /** What its model reads first. */
  text: string
  /** The task as people see it. */
  title: string
  /** The agent that works there, in addition to those that have the thread. */
  agent?: string | undefined
  /** Files of the workspace that it begins with. */
  files: string[]
  maxSteps: number
  /** How many children of the turn work at the same time; the others wait. */
  atOnce: number
  /** Loaded from its beginning. */
  skills?: string[]
}

/** How a child session ended. `isLate`: it took too long and was given up. `isCalledOff`: a person stopped it. */
export interface TaskEnd {
  state: 'done' | 'failed' | 'stopped'
  isLate?: true
  isCalledOff?: true
}

/** A tool whose result is what a child session ends with. What the child has read marks the result. */
export interface ChildTool<Input, Own = object> extends ToolBase<Input> {
  kind: 'child'
  /**
   * Undefined if it can't begin yet: it is asked again when another child of the turn has ended. `taken-back`: nothing
   * stays of the call, as if it had never been made.
   */
  task(input: Input, own: Own): ChildTask | Promise<ChildTask | 'taken-back' | undefined>
  /** The child has ended. May be told twice. */
  ended?(input: Input, end: TaskEnd, own: Own): Promise<void>
}

// Each tool has its own input type. The pipeline parses before it calls, so a list of tools may use `never`.
export type Tool = RunTool<never> | AskTool<never> | EndTool<never> | ChildTool<never, never>

/** Checks the input's type, and what its capability gives it, inside a tool's file; outside, both are erased. */
export const defineTool = <Input, Own = object>(
  tool: RunTool<Input, Own> | AskTool<Input> | EndTool<Input> | ChildTool<Input, Own>,
): Tool => tool as unknown as Tool

/** What every running tool may use. */
export interface ToolContext {
  session: SessionId
  turn: TurnId
  call: CallId
  /** The same for every attempt; tools pass it on as an idempotency key. */
  key: string
  /** 1, or more when a repeatable tool runs again after a crash. */
  attempt: number
  /** Who woke the turn. */
  person: Person
  /** An alarm woke the turn. */
  byAlarm: boolean
  /** IANA name of the asker's time zone. */
  timeZone: string
  now: number
  /** Aborted by a stop, a timeout, or the end of the process. */
  signal: AbortSignal
  workspace: Workspace
  /** What the policy granted to this call. */
  granted: {
    /** Hosts a command may reach. */
    hosts: string[]
    /** The files it runs, with the content that was decided on. */
    pinned: Pinned[]
    /** Nobody approved exactly this call, so it runs in the closed sandbox. */
    closed: boolean
  }
  /**
   * What the rules say of a call of the same tool with another input, for what turns up only while a call runs, such as
   * where an address leads. `like this one`: they ask about both, for the same reason. What the thread has read doesn't
   * matter here: this call has passed.
   */
  judgeAlso(input: Json): Promise<'allowed' | 'like this one' | 'not allowed'>
  /**
   * Asks people while the call runs; undefined if the question is withdrawn. If the process ends meanwhile, nobody
   * knows what the call did, so a tool that could ask before it acts is an AskTool instead.
   */
  ask(question: Question, signal: AbortSignal): Promise<QuestionAnswer | undefined>
  /** Shows output as it comes; may be lost. */
  output(text: string): void
  /** Sends screens one of its capability's events. */
  tell(event: string, data: Json): Promise<void>
}
