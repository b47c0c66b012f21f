import { isIP } from 'node:net'
import { isPublicAddress } from '../../net/address.ts'
import type { Resolve } from '../../net/foreign-names.ts'
import { isGranted, type Target } from './target.ts'

/** Why a host may not be reached, as a clause: `it was not granted`. */
export class ProxyRefusal extends Error {}

/**
 * The one address to dial. The name is resolved here and never again, so an answer that changes leads nowhere. One
 * address among several that isn't public refuses them all. Throws ProxyRefusal.
 */
export async function addressFor(
  target: Target,
  granted: string[],
  resolve: Resolve,
  signal: AbortSignal,
): Promise<string> {
  if (!isGranted(target.host, granted)) throw new ProxyRefusal('it was not granted')
  if (target.port !== 80 && target.port !== 443) throw new ProxyRefusal('only the ports 80 and 443 are open')
  const addresses = isIP(target.host) === 0 ? await resolved(target.host, resolve, signal) : [target.host]
  const [first] = addresses
  if (first === undefined) throw new ProxyRefusal('its name has no address')
  if (!addresses.every(isPublicAddress)) throw new ProxyRefusal('it resolves to an address that is not public')
  return first
}

async function resolved(host: string, resolve: Resolve, signal: AbortSignal): Promise<string[]> {
  try {
    return await resolve(host, signal)
  } catch (thrown) {
    if (signal.aborted && thrown === signal.reason) throw thrown
    throw new ProxyRefusal('its name cannot be resolved', { cause: thrown })
  }
}
