/** One field of a protobuf message: bytes for texts and messages, numbers for the rest. */
export interface Field {
  number: number
  value: bigint | Uint8Array
}

/** The fields of a protobuf message, in order. Throws if it is none. */
export function fieldsOf(bytes: Uint8Array): Field[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const fields: Field[] = []
  let at = 0
  const varint = (): bigint => {
    let value = 0n
    for (let shift = 0n; ; shift += 7n) {
      const byte = bytes[at++]
      if (byte === undefined || shift > 63n) throw new Error('a number without an end')
      value |= BigInt(byte & 127) << shift
      if (byte < 128) return value
    }
  }
  while (at < bytes.length) {
    const tag = Number(varint())
    const number = tag >> 3
    const kind = tag & 7
    if (kind === 0) fields.push({ number, value: varint() })
    else if (kind === 1 || kind === 5) {
      fields.push({ number, value: kind === 1 ? view.getBigUint64(at, true) : BigInt(view.getUint32(at, true)) })
      at += kind === 1 ? 8 : 4
    } else if (kind === 2) {
      const length = Number(varint())
      if (at + length > bytes.length) throw new Error('a field goes on behind the end')
      fields.push({ number, value: bytes.subarray(at, at + length) })
      at += length
    } else throw new Error(`a field of the unknown kind ${kind}`)
  }
  return fields
}

const isBytes = (value: bigint | Uint8Array): value is Uint8Array => typeof value !== 'bigint'

/** All values of one field that are bytes. */
export const bytesAt = (bytes: Uint8Array, number: number): Uint8Array[] =>
  fieldsOf(bytes).flatMap((field) => (field.number === number && isBytes(field.value) ? [field.value] : []))

export const textAt = (bytes: Uint8Array, number: number): string =>
  Buffer.from(bytesAt(bytes, number)[0] ?? []).toString()

export const hexAt = (bytes: Uint8Array, number: number): string =>
  Buffer.from(bytesAt(bytes, number)[0] ?? []).toString('hex')

export function numberAt(bytes: Uint8Array, number: number): bigint {
  const found = fieldsOf(bytes).find((field) => field.number === number)?.value
  return typeof found === 'bigint' ? found : 0n
}
