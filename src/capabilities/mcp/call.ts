import { type ToolContext, UnknownOutcome } from '../../domain/tool.ts'
import { Failure } from '../../kit/failure.ts'
import type { JsonObject } from '../../kit/json.ts'
import { withoutInvisible } from '../../kit/text/invisible.ts'
import { oneLine } from '../../kit/text/text.ts'
import type { Catalog } from './catalog-store.ts'
import type { Connection } from './connection.ts'
import type { ToolRef } from './context.ts'
import { Patience } from './patience.ts'
import type { Progress } from './port.ts'
import type { McpSettings, ServerSettings } from './settings.ts'
import { goneFrom } from './tools/names.ts'
import { resultText } from './tools/result.ts'
import { mcpWords } from './words.ts'

/** A call under way, whose server may ask people something. */
export interface OpenCall {
  /** The server's name for its tool. */
  tool: string
  context: ToolContext
  patience: Patience
}

export type OpenCalls = Set<OpenCall>

interface CallDeps {
  held: { connection: Connection; calls: OpenCalls }
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
  const { held, server, catalog, limits, mask } = deps
  return held.connection.use(async ({ client }) => {
    await checkTool(catalog, ref)
    const patience = new Patience(server.call_ms ?? limits.callMs)
    const call: OpenCall = { tool: ref.tool, context, patience }
    held.calls.add(call)
    try {
      const signal = AbortSignal.any([context.signal, patience.signal])
      const progress = (told: Progress) => {
        held.connection.heard()
        context.output(`${progressLine(told, mask)}\n`)
      }
      // The arguments came as JSON.
      const result = await client.call(ref.tool, input as JsonObject, signal, progress)
      return await resultText(result, context, { maxFiles: limits.files, mask })
    } catch (thrown) {
      // Its session may be over, which only a new one mends. A call that somebody stopped says nothing about that.
      const isBroken = !context.signal.aborted && isOfConnection(thrown)
      if (patience.signal.aborted || isBroken) held.connection.suspect()
      if (!patience.signal.aborted) throw thrown
      throw new UnknownOutcome('mcp_timeout', `${ref.server} did not answer within ${patience.limitMs} ms`, '', {
        cause: thrown,
      })
    } finally {
      patience.end()
      held.calls.delete(call)
    }
  })
}

const isOfConnection = (thrown: unknown): boolean =>
  thrown instanceof Failure && ['mcp_refused', 'mcp_unreachable', 'mcp_lost'].includes(thrown.code)

/** What was approved is what runs: a tool that has just become another one isn't called. */
async function checkTool(catalog: Catalog, { server, tool, hash }: ToolRef): Promise<void> {
  const known = catalog.find(server, tool)
  if (known === undefined) throw goneFrom(server, tool)
  if ((known.changed ?? known).hash !== hash) {
    const fact = mcpWords.toolChanged({ server, tool })
    throw new Failure('mcp_changed', fact, mcpWords.toolChangedRemedy())
  }
  if (known.changed !== undefined) await catalog.agree(server, tool, hash)
}

function progressLine({ progress, total, message = '' }: Progress, mask: CallDeps['mask']): string {
  const share = total === undefined ? `${progress}` : `${progress} of ${total}`
  return message === '' ? share : `${share}: ${oneLine(mask(withoutInvisible(message)), 200)}`
}
