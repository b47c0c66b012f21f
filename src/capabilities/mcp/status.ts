import type { ProjectRef } from '../../store/sessions.ts'
import type { Catalog } from './catalog-store.ts'
import type { Connection } from './connection.ts'
import { knownPlaceOf } from './place.ts'
import { type McpSettings, transportOf } from './settings.ts'

export interface ServerStatus {
  name: string
  transport: string
  state: 'stopped' | 'starting' | 'running' | 'failed'
  /** How many of it run; more than one if threads or workspaces have their own. */
  running: number
  why: string
  tools: number
}

interface Held {
  server: string
  place: string
  connection: Pick<Connection, 'state' | 'why'>
}

/** Of all servers, or as people somewhere see them, who learn nothing of what runs for others. */
export function statusOf(
  all: readonly Held[],
  { servers }: McpSettings,
  catalog: Catalog,
  where: ProjectRef | undefined,
): ServerStatus[] {
  return [...servers].map(([name, server]) => {
    const place = where && knownPlaceOf(server, where)
    // Until it has run there, people have the tools of the one that runs for nobody.
    const seen = place && !catalog.isKnown(name, place) ? [place, ''] : [place]
    const isSeen = (held: Held) => held.server === name && (place === undefined || seen.includes(held.place))
    const connections = all.filter(isSeen).map(({ connection }) => connection)
    const states = connections.map(({ state }) => state)
    const state = (['running', 'starting', 'failed'] as const).find((one) => states.includes(one)) ?? 'stopped'
    return {
      name,
      transport: transportOf(server),
      state,
      running: states.filter((one) => one === 'running').length,
      // Another one may have failed before: that of a workspace, or the one that was to tell its tools.
      why: state === 'running' ? '' : (connections.find(({ why }) => why !== '')?.why ?? ''),
      tools: catalog.toolsOf(name, place).length,
    }
  })
}
