// The console's modules are plain JavaScript for browsers; these are the parts that tests call.
declare module '*/console/public/thread.js' {
  import type { ToldEvent } from '../../src/domain/events.ts'

  // biome-ignore lint/suspicious/noExplicitAny: a view model of many shapes, made by untyped code, of which tests read any field.
  type Part = any
  export interface Thread {
    lastSequence: number
    items: Part[]
    todos: { content: string; status: string }[]
  }
  export const emptyThread: Thread
  export function reduce(thread: Thread, event: ToldEvent): Thread
  export function asStored(thread: Thread): Thread
  export function stateOf(thread: Thread): 'idle' | 'running' | 'waiting'
  export function pendingOf(thread: Thread): Part[]
  export function requestOf(thread: Thread, requestId: string): Part
  export function saidSince(thread: Thread, number: number): { text: string }[]
}

declare module '*/console/public/card-words.js' {
  export function unsaid(given?: object, answer?: object): string[]
  export function hasAll(outcome: object, answer: object): boolean
}

declare module '*/console/public/stream.js' {
  import type { ToldEvent } from '../../src/domain/events.ts'
  export function createParser(
    onMessage: (message: { id: string; event: string; data: string }) => void,
  ): (chunk: string) => void
  export function readEvents(response: Response, onEvent: (event: ToldEvent) => boolean | undefined): Promise<void>
  export function follow(options: {
    connect: (lastSequence: number, signal: AbortSignal) => Promise<Response>
    lastSequence: number
    onEvent: (event: ToldEvent) => void
    onConnection: (state: 'live' | 'reconnecting') => void
    isFinal: (error: unknown) => boolean
    signal: AbortSignal
  }): Promise<void>
}

declare module '*/console/public/markdown.js' {
  export function createMarkdown(fileUrl: (path: string) => string): (markdown: string) => string
  export function linkTarget(
    href: string,
    fileUrl: (path: string) => string,
  ): { kind: 'outside' | 'file'; href: string } | undefined
}

declare module '*/console/public/diff.js' {
  export function diffLines(before: string, after: string): { kind: string; text: string }[]
}

declare module '*/console/public/call-input.js' {
  export function partsOf(input: Record<string, unknown>): {
    edits: { before: string; after: string; everywhere: boolean }[]
    text?: { name: string; value: string }
    fields: [name: string, value: unknown][]
  }
}

declare module '*/console/public/completion.js' {
  export function completionAt(
    text: string,
    cursor: number,
    files: { path: string }[],
    commands?: { name: string; argument: string | null; summary: string }[],
    tools?: { name: string; description: string; tier: string }[],
  ): { start: number; choices: { insert: string; label: string; hint: string }[] } | undefined
  export function complete(
    text: string,
    cursor: number,
    start: number,
    insert: string,
  ): { text: string; cursor: number }
  export function commandIn<Command extends { name: string }>(text: string, commands: Command[]): Command | undefined
}

declare module '*/console/public/place.js' {
  interface Place {
    platform: string
    tenant_id: string
    project_id: string
  }
  export function keyOf(place: Place): string
  export function placeOf(key: string): Place
  export function groupsOf(places: Place[]): { platform: string; tenant: string; channels: { name: string }[] }[]
}

declare module '*/console/public/format.js' {
  export function formatSize(bytes: number): string
  export function formatDuration(ms: number): string
  export function dayOf(time: string | number): number
  export function formatTime(iso: string, today: number): string
  export function formatRelative(iso: string, now: number): string
  export function summariseInput(input: unknown): string
  export function visibleName(name: string): string
  export function visibleText(text: string): string
}

declare module '*/console/public/grant-words.js' {
  import type { GrantChoice } from '../../src/domain/grant.ts'
  export function reachOf(pattern: GrantChoice['pattern'], patterns: string[], runs: string[]): string
  export function choiceWords(choice: GrantChoice): string
}

declare module '*/console/public/trust-words.js' {
  interface Entry {
    kind: string
    data: Record<string, unknown>
  }
  export function whatOf(entry: Entry): string[]
  export function whoOf(entry: Entry): string
}

declare module '*/console/public/grant-words.js' {
  import type { GrantChoice } from '../../src/domain/grant.ts'

  export function choiceWords(choice: GrantChoice, isClosed?: boolean): string
}

declare module '*/console/public/outages.js' {
  interface Health {
    ok: boolean
    detail: string
    remedy?: string
    waiting?: { count: number; reason: string; remedy: string }[]
  }
  export function outagesIn(platforms: Record<string, Health>): { platform: string; waits?: number; detail: string }[]
}

declare module '*/console/public/components/warning.js' {
  export function Warning(shown: { code: string; message: string }): { props: { class: string } }
}
