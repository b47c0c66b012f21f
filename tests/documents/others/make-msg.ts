import { CFB } from '@e965/xlsx'

/** A property: a text, a number, a moment, or bytes, which may be a text in an older encoding. */
export type Property = [id: number, value: string | number | Date | Uint8Array | MadeMessage, kind?: 'oldText']

export interface MadeMessage {
  properties: Property[]
  /** What the properties from 0x8000 on are about appointments, by their numbers. */
  named?: number[]
  recipients?: Property[][]
  attachments?: Property[][]
}

const types = { number: 3, oldText: 0x1e, text: 0x1f, time: 0x40, bytes: 0x102, object: 0x0d }

const typeOf = (value: Property[1]): keyof typeof types => {
  if (typeof value === 'string') return 'text'
  if (typeof value === 'number') return 'number'
  if (value instanceof Date) return 'time'
  return value instanceof Uint8Array ? 'bytes' : 'object'
}

/** A message as Outlook saves it, by the published format. */
export function outlookMessage(message: MadeMessage): Buffer {
  const container = CFB.utils.cfb_new()
  addMessage(container, '/', message, 32)
  if (message.named !== undefined) addNames(container, message.named)
  return Buffer.from(CFB.write(container, { type: 'buffer' }))
}

function addNames(container: object, named: number[]): void {
  const entries = named.map((number, index) => {
    const entry = Buffer.alloc(8)
    entry.writeUInt32LE(number, 0)
    // The first set of properties that isn't one of MAPI's own.
    entry.writeUInt16LE(3 << 1, 4)
    entry.writeUInt16LE(index, 6)
    return entry
  })
  const appointments = Buffer.from('0220060000000000c000000000000046', 'hex')
  const streams = { '00020102': appointments, '00030102': Buffer.concat(entries), '00040102': Buffer.alloc(0) }
  for (const [tag, bytes] of Object.entries(streams))
    CFB.utils.cfb_add(container, `/__nameid_version1.0/__substg1.0_${tag}`, bytes)
}

function addMessage(container: object, folder: string, message: MadeMessage, headBytes: number): void {
  const { recipients = [], attachments = [] } = message
  const head = Buffer.alloc(headBytes)
  for (const at of [8, 16]) head.writeUInt32LE(recipients.length, at === 8 ? 8 : 16)
  head.writeUInt32LE(attachments.length, 12)
  head.writeUInt32LE(attachments.length, 20)
  addProperties(container, folder, message.properties, head)
  const number = (index: number): string => index.toString(16).toUpperCase().padStart(8, '0')
  for (const [index, properties] of recipients.entries())
    addProperties(container, `${folder}__recip_version1.0_#${number(index)}/`, properties, Buffer.alloc(8))
  for (const [index, properties] of attachments.entries())
    addProperties(container, `${folder}__attach_version1.0_#${number(index)}/`, properties, Buffer.alloc(8))
}

function addProperties(container: object, folder: string, properties: Property[], head: Buffer): void {
  const entries = properties.map(([id, value, kind = typeOf(value)]) => {
    const type = types[kind]
    const entry = Buffer.alloc(16)
    const tag = ((id << 16) | type) >>> 0
    entry.writeUInt32LE(tag, 0)
    entry.writeUInt32LE(6, 4)
    const name = `${folder}__substg1.0_${tag.toString(16).toUpperCase().padStart(8, '0')}`
    if (typeof value === 'number') entry.writeUInt32LE(value, 8)
    // Tenths of microseconds since 1601.
    else if (value instanceof Date) entry.writeBigUInt64LE((BigInt(value.getTime()) + 11_644_473_600_000n) * 10_000n, 8)
    else if (typeof value === 'string' || value instanceof Uint8Array) {
      const bytes = typeof value === 'string' ? Buffer.from(value, 'utf16le') : Buffer.from(value)
      entry.writeUInt32LE(bytes.length + (typeof value === 'string' ? 2 : 0), 8)
      CFB.utils.cfb_add(container, name, bytes)
    } else addMessage(container, `${name}/`, value, 24)
    return entry
  })
  CFB.utils.cfb_add(container, `${folder}__properties_version1.0`, Buffer.concat([head, ...entries]))
}
