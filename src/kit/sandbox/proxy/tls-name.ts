/** What the first bytes of a connection say: the server's name in TLS, none, or that more bytes are needed. */
export type TlsName = { kind: 'name'; name: string } | { kind: 'more' } | { kind: 'none' }

/** A ClientHello is a few hundred bytes, with post-quantum keys two thousand. */
const mostBytes = 16_384
const none: TlsName = { kind: 'none' }

/** Reads the name (SNI, RFC 6066) from a TLS ClientHello (RFC 8446, 4.1.2), which may span several records. */
export function tlsName(bytes: Uint8Array): TlsName {
  const greeting = handshake(bytes)
  if (greeting === undefined) return none
  if (greeting === 'more') return bytes.length > mostBytes ? none : { kind: 'more' }
  try {
    return nameIn(greeting)
  } catch (thrown) {
    // Lengths that point beyond the end.
    if (thrown instanceof RangeError) return none
    throw thrown
  }
}

/** The body of the first handshake message, joined from its records. */
function handshake(bytes: Uint8Array): DataView | 'more' | undefined {
  const parts: Uint8Array[] = []
  let length = 0
  let needed = 4
  for (let at = 0; length < needed; ) {
    if (at + 5 > bytes.length) return bytes.length > 0 && bytes[0] !== 22 ? undefined : 'more'
    const size = ((bytes[at + 3] ?? 0) << 8) | (bytes[at + 4] ?? 0)
    if (bytes[at] !== 22 || bytes[at + 1] !== 3 || size === 0) return undefined
    const part = bytes.subarray(at + 5, at + 5 + size)
    parts.push(part)
    length += part.length
    if (part.length < size && length < needed) return 'more'
    at += 5 + size
    if (needed > 4 || length < 4) continue
    const head = Buffer.concat(parts)
    if (head[0] !== 1) return undefined
    needed = 4 + head.readUIntBE(1, 3)
    if (needed > mostBytes) return undefined
    if (part.length < size && length < needed) return 'more'
  }
  const whole = Buffer.concat(parts)
  return new DataView(whole.buffer, whole.byteOffset + 4, needed - 4)
}

/** Fields with different length formats, one after the other; the extensions are the last. */
function nameIn(greeting: DataView): TlsName {
  let at = 2 + 32
  at += 1 + greeting.getUint8(at)
  at += 2 + greeting.getUint16(at)
  at += 1 + greeting.getUint8(at)
  const end = at + 2 + greeting.getUint16(at)
  for (at += 2; at + 4 <= end; ) {
    const [type, size] = [greeting.getUint16(at), greeting.getUint16(at + 2)]
    // The list of names, in it the kind of the first (0: a host), its length, and itself.
    if (type === 0 && greeting.getUint8(at + 6) === 0) {
      const length = greeting.getUint16(at + 7)
      if (length + 5 > size) return none
      const name = new Uint8Array(greeting.buffer, greeting.byteOffset + at + 9, length)
      return { kind: 'name', name: Buffer.from(name).toString('latin1').toLowerCase() }
    }
    at += 4 + size
  }
  return none
}
