import { z } from 'zod'
import type { Inspection } from '../../../domain/inspection.ts'
import { defineTool, type RunTool, type Tool } from '../../../domain/tool.ts'
import { refuseSentMask } from '../../../kit/secrets/written-mask.ts'
import { hashOf, type Known, type KnownTool } from '../catalog.ts'
import type { McpContext } from '../context.ts'
import type { ListedTool } from '../port.ts'
import type { McpSettings, ServerSettings } from '../settings.ts'
import { faultsOf } from './arguments.ts'
import { changeOf } from './change.ts'
import { fitForModel } from './describe.ts'
import { goneFrom, isOff, toolName } from './names.ts'

/** The call's own limits come first. */
const longestMs = 3_600_000

/** Whether models get it: it is switched on, and what is said of it fits. */
export const isOffered = (
  server: string,
  settings: Pick<ServerSettings, 'tools'>,
  tool: ListedTool,
  { definitionBytes }: Pick<McpSettings['limits'], 'definitionBytes'>,
): boolean => !isOff(settings, tool.name) && fitForModel(tool, server, definitionBytes) !== undefined

/** The tools of a server as a model gets them. Those whose descriptions don't fit are left out. */
export function toolsOf(server: string, settings: ServerSettings, known: Known, limits: McpSettings['limits']): Tool[] {
  return known.tools.flatMap((tool) => {
    if (isOff(settings, tool.name)) return []
    const shown = fitForModel(tool, server, limits.definitionBytes)
    if (shown === undefined) return []
    const identity = hashOf([known.identity, tool.name])
    return [toolOf(server, settings, tool, { ...shown, identity }, limits.definitionBytes)]
  })
}

type Shown = NonNullable<ReturnType<typeof fitForModel>> & { identity: string }

function toolOf(server: string, settings: ServerSettings, tool: KnownTool, shown: Shown, maxBytes: number): Tool {
  const own = settings.tools[tool.name]
  const { trusted } = settings
  const about = {
    kind: 'run' as const,
    name: own?.alias ?? toolName(server, tool.name),
    description: own?.description ?? shown.description,
    parameters: shown.parameters,
    server,
    identity: shown.identity,
    ...(own?.always_available === false && { byName: true }),
    ...(!trusted && { source: () => `the MCP server ${server}` }),
  }
  if (tool.gone) return goneTool(server, tool.name, about)
  const effect = own?.effect ?? settings.effect
  return defineTool<Record<string, unknown>, McpContext>({
    ...about,
    input: z.record(z.string(), z.unknown()).superRefine((input, context) => {
      for (const message of faultsOf(input, tool.parameters)) context.addIssue({ code: 'custom', message })
    }),
    doing: () => `${server}: ${tool.name}`,
    effect,
    repeatable: own?.repeatable ?? false,
    sends: own?.sends ?? settings.sends,
    timeoutMs: longestMs,
    inspect: (input) => ({ ...inspectionOf(server, tool, input, maxBytes), returns: !trusted }),
    check: (input) => {
      if (effect !== 'read') refuseSentMask('input', JSON.stringify(input))
    },
    run: (input, context) =>
      context.mcp.call({ server, tool: tool.name, hash: (tool.changed ?? tool).hash }, input, context),
  })
}

type About = Pick<
  RunTool<Record<string, unknown>>,
  'kind' | 'name' | 'description' | 'parameters' | 'server' | 'identity' | 'byName' | 'source'
>

/** Threads that were offered it keep it, but nothing is called, so nobody is asked. */
const goneTool = (server: string, tool: string, about: About): Tool =>
  defineTool<Record<string, unknown>>({
    ...about,
    input: z.record(z.string(), z.unknown()),
    effect: 'read',
    retired: true,
    run: () => Promise.reject(goneFrom(server, tool)),
  })

function inspectionOf(server: string, tool: KnownTool, input: Record<string, unknown>, maxBytes: number): Inspection {
  const unclear = [
    ...((tool.changed ?? tool).destructive ? [`${server} says that this may delete or overwrite something`] : []),
    ...(tool.changed === undefined ? [] : changeOf(server, tool, tool.changed, maxBytes)),
  ]
  return { subjects: [JSON.stringify(input)], unclear, ...(unclear.length === 0 && { wider: ['*'] }) }
}
