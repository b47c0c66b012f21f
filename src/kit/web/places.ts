import { networkInterfaces } from 'node:os'
import ipaddr from 'ipaddr.js'
import { unlessAborted } from '../abort.ts'
import { isPublicAddress } from '../net/address.ts'
import type { Resolve } from '../net/foreign-names.ts'
import { codeOf, notReached, privateAddress } from './failures.ts'

/** Whether a request may go to an address. */
export type IsAllowed = (address: string) => boolean

/** Public, and not this machine by its public name: its own firewall wouldn't be in between. */
export const isForeign: IsAllowed = (address) => isPublicAddress(address) && !isOwn(address)

const isOwn = (address: string): boolean =>
  Object.values(networkInterfaces()).some((entries) =>
    entries?.some((entry) => ipaddr.process(entry.address).toString() === ipaddr.process(address).toString()),
  )

/** How many are tried for one hop. */
const mostAddresses = 4

/**
 * The addresses that a URL leads to, each of them checked: one that isn't allowed refuses them all. The URL parser has
 * already normalised every notation of an address.
 */
export async function placesOf(
  url: URL,
  resolve: Resolve,
  isAllowed: IsAllowed,
  signal: AbortSignal,
): Promise<string[]> {
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
  const addresses = ipaddr.isValid(host) ? [host] : await resolved(host, resolve, signal)
  const refused = addresses.find((address) => !ipaddr.isValid(address) || !isAllowed(address))
  if (refused !== undefined) throw privateAddress(`${url.hostname} is not a public address`)
  if (addresses.length === 0) throw notReached(`There is no server ${url.hostname}.`)
  return addresses.slice(0, mostAddresses)
}

async function resolved(name: string, resolve: Resolve, signal: AbortSignal): Promise<string[]> {
  try {
    return await unlessAborted(signal, () => resolve(name, signal))
  } catch (thrown) {
    signal.throwIfAborted()
    throw notReached(`The name ${name} was not found (${codeOf(thrown)}).`, thrown)
  }
}
