import { type ToolContext, UnknownOutcome } from '../../domain/tool.ts'
import { Failure } from '../../kit/failure.ts'
import type { JsonObject } from '../../kit/json.ts'
import { withoutInvisible } from '../../kit/text/invisible.ts'
import { oneLine } from '../../kit/text/text.ts'
import { hashOf } from './catalog.ts'
import type { Catalog } from './catalog-store.ts'
import type { Connection, Opened } from './connection.ts'
import type { ToolRef } from './context.ts'
import { whileOpen } from './open-calls.ts'
import { Patience } from './patience.ts'
import type { Progress } from './port.ts'
import type { McpSettings, ServerSettings } from './settings.ts'
import { goneFrom, isOff } from './tools/names.ts'
import { resultText } from './tools/result.ts'
import { mcpWords } from './words.ts'

interface CallDeps {
  held: { connection: Connection; place: string }
  server: ServerSettings
  catalog: Catalog
  limits: McpSettings['limits']
  mask(text: string): string
}

/** Carries out one approved call. */
export function callServer(
  deps: CallDeps,
  ref: ToolRef,
  input: Record<string, unknown>,
  context: ToolContext,
): Promise<string> {
  const { held, server, limits, mask } = deps
  return held.connection.use(async (opened) => {
    await checkTool(ref, opened, deps, context.signal)
    const patience = new Patience(server.call_ms ?? limits.callMs)
    const notes = new Set<string>()
    try {
      const signal = AbortSignal.any([context.signal, patience.signal])
      const progress = (told: Progress) => {
        held.connection.heard()
        context.output(`${progressLine(told, mask)}\n`)
      }
      // The arguments came as JSON.
      const made = () => opened.client.call(ref.tool, input as JsonObject, signal, progress)
      const result = await whileOpen(opened.calls, made, { tool: ref.tool, context, patience, notes })
      const text = await resultText(result, context, { maxFiles: limits.files, mask })
      return [text, ...bracketed(notes)].join('\n')
    } catch (thrown) {
      // Its session may be over, which only a new one mends. A call that somebody stopped says nothing about that.
      const isBroken = !context.signal.aborted && isOfConnection(thrown)
      if (patience.signal.aborted || isBroken) held.connection.suspect()
      if (!patience.signal.aborted)
        throw isOfServer(thrown) ? thrown.with({ remedy: bracketed(notes).join(' ') }) : thrown
      throw new UnknownOutcome('mcp_timeout', `${ref.server} did not answer within ${patience.limitMs} ms`, '', {
        cause: thrown,
      })
    } finally {
      patience.end()
    }
  })
}

const bracketed = (notes: Iterable<string>): string[] => [...notes].map((note) => `[${note}]`)

/** The server itself gave up its call: often because of what it may not ask for. */
const isOfServer = (thrown: unknown): thrown is Failure => thrown instanceof Failure && thrown.code === 'mcp_error'

const isOfConnection = (thrown: unknown): boolean =>
  thrown instanceof Failure && ['mcp_refused', 'mcp_unreachable', 'mcp_lost'].includes(thrown.code)

/** What was approved is what runs: a tool that is another one at this very server isn't called. */
async function checkTool(
  { server: name, tool, hash }: ToolRef,
  opened: Opened,
  { catalog, held: { connection, place }, server, limits }: CallDeps,
  signal: AbortSignal,
): Promise<void> {
  if (isOff(server, tool)) throw goneFrom(name, tool)
  const isAsApproved = () => opened.tools.some((one) => one.name === tool && hashOf(one) === hash)
  if (!isAsApproved()) {
    // Not every server says that its tools have changed, and another thread, or another process, may have heard it.
    const until = AbortSignal.any([signal, AbortSignal.timeout(limits.startMs)])
    opened.tools = await opened.client.listTools(until).catch((thrown: unknown) => {
      // One that works on another call may have no time for it.
      if (!until.aborted) connection.suspect()
      throw thrown
    })
    await catalog.learn(name, place, opened.tools)
  }
  if (isAsApproved()) return catalog.agree(name, place, tool, hash)
  if (!opened.tools.some((one) => one.name === tool)) throw goneFrom(name, tool)
  throw new Failure('mcp_changed', mcpWords.toolChanged({ server: name, tool }), mcpWords.toolChangedRemedy())
}

function progressLine({ progress, total, message = '' }: Progress, mask: CallDeps['mask']): string {
  const share = total === undefined ? `${progress}` : `${progress} of ${total}`
  return message === '' ? share : `${share}: ${oneLine(mask(withoutInvisible(message)), 200)}`
}
