import type { JsonObject } from '../../kit/json.ts'
import { agentsSection } from './settings.ts'

/** By agent: its keys as in agents.yaml; `null` leaves one unset. */
export type Changes = Record<string, JsonObject>

/** What the files say, before it is checked. */
export type AgentsFile = { agents?: Changes } | undefined

/** Agents whose changes don't fit, and why. */
export type Misfits = ReadonlyMap<string, string>

/** What the files say with changes laid over it. Those of a tenant are left out for agents that are gone. */
export function laidOver(file: AgentsFile, changes: Changes, ofTenant: Changes = {}) {
  const agents = new Map(Object.entries(file?.agents ?? {}))
  const lay = (name: string, change: JsonObject) => {
    const keys = Object.entries({ ...agents.get(name), ...change })
    agents.set(name, Object.fromEntries(keys.filter(([, value]) => value !== null)))
  }
  for (const [name, change] of Object.entries(changes)) lay(name, change)
  for (const [name, change] of Object.entries(ofTenant)) if (agents.has(name)) lay(name, change)
  return { ...file, agents: Object.fromEntries(agents) }
}

/**
 * The changes that fit what they are laid over: the files may say something else meanwhile. One agent's that doesn't
 * fit is left out alone, and if it is switched off, it stays so.
 */
export function fitting(changes: Changes, lay: (some: Changes) => object): { kept: Changes; misfits: Misfits } {
  const misfits = new Map<string, string>()
  for (let kept = changes; ; ) {
    const { error } = agentsSection.schema.safeParse(lay(kept), { jitless: true })
    const wrong = new Map<string, string>()
    for (const { path, message } of error?.issues ?? []) {
      const [at, name] = path.map(String)
      if (at === 'agents' && name !== undefined && Object.hasOwn(kept, name))
        wrong.set(name, wrong.get(name) ?? `${path.slice(1).join('.')}: ${message}`)
    }
    if (wrong.size === 0) return { kept, misfits }
    const others = Object.entries(kept).flatMap(([name, change]): [string, JsonObject][] => {
      if (!wrong.has(name)) return [[name, change]]
      return change.enabled === false && !misfits.has(name) ? [[name, { enabled: false }]] : []
    })
    for (const [name, why] of wrong) misfits.set(name, misfits.get(name) ?? why)
    kept = Object.fromEntries(others)
  }
}
