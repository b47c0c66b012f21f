import type { Capability } from './capability.ts'
import type { Operation } from './operation.ts'

/** Where the routes of a capability are, below `/api/v1/`. */
export const routesAt = ({ name, routesAt = `capabilities/${name}` }: Capability): string => routesAt

/** Operations that describe the routes there. What another place has can't be theirs. */
export function operationsBelow(place: string, own: readonly Operation[]): Operation[] {
  const isBelow = (path: string) => `${path}/`.startsWith(`/${place}/`)
  return own.map((one) => (isBelow(one.path) ? one : { ...one, path: `/${place}/${one.path.replace(/^\/+/, '')}` }))
}
