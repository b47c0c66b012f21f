import type { z } from 'zod'
import type { Json } from '../kit/json.ts'
import type { Web } from '../kit/web/port.ts'
import type { Person } from './chat.ts'
import type { CallId, SessionId, TurnId } from './ids.ts'
import type { Inspection, Pinned } from './inspection.ts'
import type { AskedQuestion } from './question.ts'
import type { Workspace } from './workspace.ts'

/** What a tool does to the world: nothing, the workspace or our own store, or anything else. Policy starts here. */
export type Effect = 'read' | 'write' | 'external'

/** What the operator has set up. */
export interface Installation {
  web: Web
}

interface ToolBase<Input> {
  name: string
  description: string
  input: z.ZodType<Input>
  effect: Effect
  /** True when running it twice with the same input is the same as once: then a crash is followed by another run. */
  repeatable?: boolean
  /**
   * True when calling it again and again with the same arguments is normal, because it tells of something that changes by
   * itself, such as the time or a job that is waited for. Such calls are never taken for going round in circles.
   */
  polls?: boolean
  /** For how many model calls its calls and their results are sent; then they are left out. Absent: for as long as there is room. */
  rounds?: number
  /** Otherwise the global default of `config/bobbin.yaml`. */
  timeoutMs?: number
  /** True when its result is a page that fits, and says how to read on: the pipeline does not cut it again. */
  pages?: boolean
  /** The workspace paths it touches: policy looks at them, and calls of a step on one path run in order. */
  paths?(input: Input): string[]
  /** What a call would do, for the policy. Without it, patterns are matched against its paths, or its arguments as JSON. */
  inspect?(input: Input): Inspection
  /** What a file of the workspace that a call runs would do, if that can be told: its commands are judged with the call's own. */
  inspectFile?(path: string, text: string, call: Inspection): Inspection | undefined
  /** Who wrote what its result holds, for the label that the model reads: `the page https://…`. Absent: the program itself. */
  source?(input: Input): string
  /** Why it cannot be used in this installation, with the setting that would mend it: then no model is offered it. */
  lacks?(installation: Installation): string | undefined
  /** True when it runs programs: in the closed sandbox unless a person approved the call. Without a sandbox, each is asked. */
  runsPrograms?: boolean
  /** True when a call can carry what it was told to somebody outside: asked once untrusted content is in the thread. */
  sends?: boolean
}

/**
 * A tool that does something. It throws when it fails; the pipeline turns that into text for the model. `Own`: what it may use
 * beside what every tool may, from its capability.
 */
export interface RunTool<Input, Own = object> extends ToolBase<Input> {
  kind: 'run'
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

// A list of tools has one input type each; the pipeline parses before it calls, so the union is erased to `never` here.
export type Tool = RunTool<never> | AskTool<never> | EndTool<never>

/** Keeps the input's type, and what its capability gives it, inside a tool's file and erases them outside. */
export const defineTool = <Input, Own = object>(tool: RunTool<Input, Own> | AskTool<Input> | EndTool<Input>): Tool =>
  tool as unknown as Tool

/** What every running tool may use. */
export interface ToolContext {
  session: SessionId
  turn: TurnId
  call: CallId
  /** Stable over attempts: hand it to whatever the tool calls as idempotency key. */
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
    /** Hosts that a command may reach. */
    hosts: string[]
    /** The files that it runs, with the content that was decided on. */
    pinned: Pinned[]
    /** Nobody approved exactly this call: it runs in the closed sandbox. */
    closed: boolean
  }
  /** Shows output as it comes; may be lost. */
  output(text: string): void
  /** Tells screens of one of its capability's events. */
  tell(event: string, data: Json): Promise<void>
}
