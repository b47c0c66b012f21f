import type { AlarmsContext } from '../../src/capabilities/alarms/context.ts'
import type { DocumentsContext } from '../../src/capabilities/documents/context.ts'
import type { FilesContext } from '../../src/capabilities/files/context.ts'
import type { TodosContext } from '../../src/capabilities/todos/context.ts'
import type { WebContext } from '../../src/capabilities/web/context.ts'
import type { AlarmId } from '../../src/domain/ids.ts'
import type { Alarm, Todo } from '../../src/domain/session.ts'
import type { Documents } from '../../src/kit/documents/document.ts'
import { openSandbox } from '../../src/kit/sandbox/sandbox.ts'
import type { Web } from '../../src/kit/web/port.ts'
import type { CommandsContext } from '../../src/programs/context.ts'
import { builtinTools } from '../../src/wiring/capabilities.ts'
import { type Place, place } from '../workspace/support.ts'

/** What the tools of all capabilities may use. */
export type WholeContext = AlarmsContext & CommandsContext & DocumentsContext & FilesContext & TodosContext & WebContext
export type ToolLimits = WholeContext['limits']

export const defaultLimits: ToolLimits = {
  outputBytes: 51_200,
  readBytes: 51_200,
  readLines: 2000,
  lineCharacters: 2000,
  searchHintBytes: 102_400,
  listEntries: 200,
  fileBytes: 10_000_000,
  alarmGapMs: 60_000,
  read: {
    pdfPages: 10,
    pdfCharacters: 30_000,
    docxCharacters: 30_000,
    xlsxSheets: 3,
    xlsxCharacters: 20_000,
    pptxSlides: 15,
    pptxCharacters: 25_000,
  },
  searchResults: 5,
  searchCharacters: 300,
  sandbox: {
    timeoutMs: 600_000,
    scriptTimeoutMs: 600_000,
    outputBytes: 1_000_000,
    fileBytes: 10_000_000,
    memoryBytes: 500_000_000,
    processes: 64,
    temporaryBytes: 50_000_000,
    environment: {},
    closed: {
      timeoutMs: 600_000,
      fileBytes: 4_000_000,
      memoryBytes: 400_000_000,
      processes: 60,
      temporaryBytes: 4_000_000,
    },
  },
  workspace: { bytes: 1_000_000_000, files: 10_000 },
  web: { pageBytes: 10_000_000, downloadBytes: 50_000_000, timeoutMs: 60_000, results: 8 },
}

export interface Bench extends Place {
  context: WholeContext
  todos: Todo[]
  alarms: Alarm[]
  /** Parses as the pipeline does, then runs. */
  run(tool: string, input: unknown): Promise<string>
  put(path: string, content: string | Uint8Array): Promise<void>
  text(path: string): Promise<string>
}

/** Whatever reads a document here was not expected to. */
export const noDocuments: Documents = {
  open: async (path) => {
    throw new Error(`${path} was opened as a document`)
  },
  search: async (paths) => {
    throw new Error(`${paths} were searched as documents`)
  },
  prepare: async () => {},
}

/** Whatever reaches out here was not expected to. */
const noWeb: Web = {
  fetch: async (url) => {
    throw new Error(`${url} was fetched`)
  },
  send: async ({ href }) => {
    throw new Error(`something was sent to ${href}`)
  },
  page: async () => {
    throw new Error('a page was read')
  },
  search: async (query) => {
    throw new Error(`${query} was searched`)
  },
}

/** A real workspace, lists in memory for the store's, and the tools as the pipeline calls them. */
export async function bench(limits: Partial<ToolLimits> = {}, context: Partial<WholeContext> = {}): Promise<Bench> {
  const made = await place({ quota: limits.workspace ?? defaultLimits.workspace })
  const todos: Todo[] = []
  const alarms: Alarm[] = []
  const whole: WholeContext = {
    session: 'ses_1',
    turn: 'turn_1',
    call: 'call_1',
    key: 'key',
    attempt: 1,
    person: { id: 'U1', name: 'Ana' },
    byAlarm: false,
    timeZone: 'Europe/Berlin',
    now: Date.parse('2026-03-10T11:30:15Z'),
    signal: new AbortController().signal,
    judgeAlso: async () => 'allowed',
    ask: async () => undefined,
    workspace: made.workspace,
    documents: noDocuments,
    sandbox: openSandbox(),
    web: noWeb,
    mask: (text) => text,
    granted: { hosts: [], pinned: [], closed: false },
    output: () => {},
    tell: async () => {},
    todos: {
      read: async () => todos,
      write: async (list) => void todos.splice(0, todos.length, ...list),
    },
    alarms: {
      get own(): AlarmId {
        return `alarm_${alarms.length + 1}`
      },
      async set(alarm) {
        const id = this.own
        alarms.push({ ...alarm, id })
        return id
      },
      list: async () => alarms,
      cancel: async (id) => {
        const index = alarms.findIndex((alarm) => alarm.id === id)
        if (index >= 0) alarms.splice(index, 1)
        return index >= 0
      },
    },
    limits: { ...defaultLimits, ...limits },
    ...context,
  }
  return {
    ...made,
    context: whole,
    todos,
    alarms,
    run: async (name, input) => {
      const tool = builtinTools.find((tool) => tool.name === name)
      if (tool?.kind !== 'run') throw new Error(`no tool ${name}`)
      return tool.run(tool.input.parse(input), whole)
    },
    put: (path, content) => made.workspace.write(path, content),
    text: async (path) => String(await made.workspace.read(path)),
  }
}
