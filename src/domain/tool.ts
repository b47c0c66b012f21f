import type { z } from 'zod'
import type { Documents } from '../kit/documents/document.ts'
import type { Sandbox, SandboxLimits } from '../kit/sandbox/port.ts'
import type { Web } from '../kit/web/port.ts'
import type { Person } from './chat.ts'
import type { CallId, SessionId, TurnId } from './ids.ts'
import type { Inspection, Pinned } from './inspection.ts'
import type { AskedQuestion } from './question.ts'
import type { Alarms, Todos } from './session.ts'
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

/** A tool that does something. It throws when it fails; the pipeline turns that into text for the model. */
export interface RunTool<Input> extends ToolBase<Input> {
  kind: 'run'
  run(input: Input, context: ToolContext): Promise<string>
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

/** Keeps the input's type inside a tool's file and erases it outside. */
export const defineTool = <Input>(tool: RunTool<Input> | AskTool<Input> | EndTool<Input>): Tool =>
  tool as unknown as Tool

/** What a running tool may use. */
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
  documents: Documents
  todos: Todos
  alarms: Alarms
  sandbox: Sandbox
  web: Web
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
  limits: ToolLimits
}

/** From `config/bobbin.yaml`, sections `tools` and `documents`. */
export interface ToolLimits {
  /** Bytes of a tool's result that the model sees. */
  outputBytes: number
  /** read_file shows a text whole up to this many bytes and lines. */
  readBytes: number
  readLines: number
  /** Characters of a line before it is cut. */
  lineCharacters: number
  /** read_file points to search above this many bytes. */
  searchHintBytes: number
  /** Most entries that list_files, find_files and matches that grep_files return. */
  listEntries: number
  /** A repeating alarm rings at most so often. */
  alarmGapMs: number
  /** Largest file that edit_file and grep_files read, in bytes. */
  fileBytes: number
  /** What read_file shows of a document at once. */
  read: ReadBudgets
  /** What search_file returns when it is not told, and characters around a match. */
  searchResults: number
  searchCharacters: number
  /** What a thread's files may come to. */
  workspace: { bytes: number; files: number }
  /** `config/bobbin.yaml`, sections `sandbox` and `web`. */
  sandbox: SandboxLimits & { scriptTimeoutMs: number; environment: Record<string, string>; closed: ClosedLimits }
  web: { pageBytes: number; downloadBytes: number; timeoutMs: number; results: number }
}

/** Limits of the closed sandbox; the others are those of the open one. */
export type ClosedLimits = Pick<
  SandboxLimits,
  'timeoutMs' | 'memoryBytes' | 'processes' | 'fileBytes' | 'temporaryBytes'
>

/** From `config/bobbin.yaml`, section `documents.read`: parts and characters. */
export interface ReadBudgets {
  pdfPages: number
  /** Once a PDF has more pages. */
  pdfCharacters: number
  docxCharacters: number
  xlsxSheets: number
  xlsxCharacters: number
  pptxSlides: number
  pptxCharacters: number
}
