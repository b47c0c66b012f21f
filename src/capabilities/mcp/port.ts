import type { Readable, Writable } from 'node:stream'
import type { Json, JsonObject } from '../../kit/json.ts'

/** A tool as its server describes it. Every word of it is the server's. */
export interface ListedTool {
  name: string
  title?: string
  description: string
  parameters: JsonObject
  /** What the server claims about it. It may tighten what we do, never loosen it. */
  destructive: boolean
  /** The program's own words: it makes a tool of what the server offers to read. */
  ours?: true
}

/** A piece of a tool's result. Bytes are base64. */
export type Content =
  | { kind: 'text'; text: string }
  | { kind: 'file'; name: string; type: string; base64: string }
  | { kind: 'link'; name: string; uri: string; description: string }

export interface McpResult {
  content: Content[]
  /** Used if there is no text. */
  structured: Json | undefined
  isError: boolean
}

export interface Progress {
  progress: number
  total?: number
  message?: string
}

/** One field of a form that a server wants filled in. */
export interface FormField {
  name: string
  question: string
  kind: 'text' | 'number' | 'integer' | 'boolean' | 'choice' | 'choices'
  /** Values, and what people read. */
  choices: { value: string; label: string }[]
  required: boolean
  /** Taken if people leave it open. */
  otherwise?: FormValue
}

export type FormValue = string | number | boolean | string[]

export interface Elicitation {
  message: string
  fields: FormField[]
}

export type ElicitationAnswer =
  | { action: 'accept'; content: Record<string, FormValue> }
  | { action: 'decline' | 'cancel' }

/** A server wants a model to write something. */
export interface Sampling {
  system: string
  text: string
}

/** What a server may want of us. */
export interface McpHost {
  /** Directories it may work in, as `file:` addresses. */
  roots(): { uri: string; name: string }[]
  elicit(wanted: Elicitation, signal: AbortSignal): Promise<ElicitationAnswer>
  /** Undefined: it isn't told that it could ask. */
  sample: ((wanted: Sampling, signal: AbortSignal) => Promise<string>) | undefined
  toolsChanged(): void
  /** The connection is gone. */
  closed(): void
  /** Masks secrets in what the server says. */
  mask(text: string): string
}

/** How a server is reached. */
export type Link =
  | { kind: 'stdio'; input: Writable; output: Readable }
  | { kind: 'http' | 'sse' | 'websocket'; url: URL; headers: Record<string, string>; login?: Login }

/** Where a login is kept. */
export interface KeptLogin {
  read(): Promise<JsonObject | undefined>
  write(value: JsonObject): Promise<void>
  /** Runs work while nobody else does, in this process or another one. */
  alone<T>(work: () => Promise<T>): Promise<T>
}

/** Who we are to the server that gives tokens, if the operator has registered us there. */
export interface LoginClient {
  id?: string
  secret?: string
  scope?: string
}

/** An earlier login. Its tokens are refreshed as needed. */
export interface Login {
  kept: KeptLogin
  client: LoginClient
  /** Where browsers come back to. */
  redirectUrl: string
  /** An address at which servers can read who we are. */
  document?: string | undefined
}

/** What a browser comes back with. */
export interface LoginAnswer {
  code: string
  /** Who sent it back, if that is said (RFC 9207). */
  issuer: string | undefined
}

/** Logs in to a server; `codeAt` shows a person the address and returns what the browser came back with. */
export type LogInMcp = (
  wanted: Login & {
    url: URL
    kind?: 'http' | 'sse'
    state: string
    messageBytes: number
    mask?: ((text: string) => string) | undefined
  },
  codeAt: (url: URL) => Promise<LoginAnswer>,
  signal: AbortSignal,
) => Promise<boolean>

/** Has the server take a login back. False if it can't. */
export type LogOutMcp = (wanted: Login & { url: URL; messageBytes: number }, signal: AbortSignal) => Promise<boolean>

export interface McpLimits {
  /** Largest message. */
  messageBytes: number
  /** Tools of a server beyond these are left out. */
  tools: number
  /** Of one tool. All of them together may be as large as that many tools of this size. */
  definitionBytes: number
}

/** Names of tools that aren't used. */
export interface LeftOut {
  /** What the server says of them breaks the protocol. */
  broken: readonly string[]
  /** The first ones beyond the limit for tools. */
  beyond: readonly string[]
  /** There are others beyond it. */
  more: boolean
}

/** A connection to one server. Only `sdk/` knows how it works. */
export interface McpClient {
  /** Its name and version as it says, and the version of the protocol. */
  readonly about: string
  listTools(signal: AbortSignal): Promise<ListedTool[]>
  /** What can't be used of the last list. */
  readonly leftOut?: LeftOut
  /**
   * Throws UnknownOutcome if the call may have been carried out, and Failure if it wasn't. When `signal` is aborted,
   * the server is told so.
   */
  call(tool: string, input: JsonObject, signal: AbortSignal, progress: (told: Progress) => void): Promise<McpResult>
  /** Throws `mcp_other_answer` if the server answers something else: that it has too much to do, for example. */
  ping(signal: AbortSignal): Promise<void>
  close(): Promise<void>
}

/** Connects and says hello. */
export type ConnectMcp = (link: Link, host: McpHost, limits: McpLimits, signal: AbortSignal) => Promise<McpClient>
