import ipaddr from 'ipaddr.js'

/**
 * True only for an address on the public internet: one that a program may dial on behalf of somebody nobody trusts.
 * `text` is an IPv4 or IPv6 address as a resolver writes it (four decimal parts; no port, brackets or zone). Anything
 * else is false: octal, hexadecimal and short forms, names, the empty text.
 */
export function isPublicAddress(text: string): boolean {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return isPublicIPv4(ipaddr.IPv4.parse(text))
  if (!text.includes(':') || text.includes('%') || !ipaddr.IPv6.isValid(text)) return false
  return isPublicIPv6(ipaddr.IPv6.parse(text))
}

// Missing from the library's list: the relay anycast of 6to4, and addresses at which clouds answer though they look
// public.
const alsoClosedIPv4 = ['192.0.0.0/24', '192.88.99.0/24', '100.100.100.200/32', '168.63.129.16/32'].map((range) =>
  ipaddr.IPv4.parseCIDR(range),
)

const isPublicIPv4 = (address: ipaddr.IPv4): boolean =>
  address.range() === 'unicast' && !alsoClosedIPv4.some((range) => address.match(range))

// Outside 2000::/3 nothing is assigned to the public internet. Within it are ways to write an IPv4 address in an IPv6
// one (6to4, Teredo), which a gateway could translate back, and blocks for documentation, tests and identifiers.
const publicIPv6 = ipaddr.IPv6.parseCIDR('2000::/3')
const closedIPv6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20', '3ffe::/16', '2620:4f:8000::/48'].map(
  (range) => ipaddr.IPv6.parseCIDR(range),
)

const isPublicIPv6 = (address: ipaddr.IPv6): boolean =>
  address.match(publicIPv6) &&
  !closedIPv6.some((range) => address.match(range)) &&
  // An ISATAP interface identifier holds an IPv4 address that an internal router would dial.
  !(address.parts[5] === 0x5efe && ((address.parts[4] ?? 0) & 0xfdff) === 0)
