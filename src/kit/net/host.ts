import ipaddr from 'ipaddr.js'
import { isPublicAddress } from './address.ts'

/**
 * The one spelling of a host, for rules and for dialling: in lower case, without brackets, final dots, percent signs
 * and the dots of other scripts, and addresses in plain notation. Anything that isn't a host comes back in lower case.
 */
export function plainHost(host: string): string {
  const bare = host.trim().replace(/^\[(.*)\]$/, '$1')
  const parsed = parse(bare.includes(':') ? `[${bare}]` : bare)
  // Without its final dots a name may be an address: `127.0.0.1..`.
  const plain = parsed === undefined ? undefined : parse(withoutDots(parsed))
  return (plain ?? withoutDots(bare.toLowerCase())).replace(/^\[(.*)\]$/, '$1')
}

const parse = (host: string): string | undefined => {
  const url = /[/?#@\\]/.test(host) ? null : URL.parse(`http://${host}/`)
  return url === null || url.hostname === '' ? undefined : url.hostname
}

const withoutDots = (host: string): string => host.replace(/(?<![.\u3002\uff0e\uff61])[.\u3002\uff0e\uff61]+$/, '')

/** What rules call an address that isn't public, in whatever notation. */
const privateAddress = 'private-address'

/** Every name by which rules may know a host. */
export function namesOfHost(host: string): string[] {
  const plain = plainHost(host)
  return isAddress(plain) && !isPublicAddress(plain) ? [plain, privateAddress] : [plain]
}

const isAddress = (plain: string): boolean =>
  ipaddr.IPv4.isValidFourPartDecimal(plain) || (plain.includes(':') && ipaddr.IPv6.isValid(plain))
