/** What an old workbook is made of. `data` may be shorter than it says. */
export interface XlsRecord {
  type: number
  data: Buffer
}

/** Numbers of records that are looked at. */
export const types = {
  bof: 0x0809,
  eof: 0x000a,
  password: 0x002f,
  sheet: 0x0085,
  continued: 0x003c,
  object: 0x005d,
  text: 0x01b6,
  number: 0x0203,
  label: 0x0204,
  /** What the cells after it are: values or categories. */
  cellsOf: 0x1065,
  series: 0x1003,
  textFrame: 0x1025,
  words: 0x100d,
  /** What a frame of text belongs to. */
  belongsTo: 0x1027,
} as const

/** From a place on, to the end of the substream that begins there, with those in it. */
export function* recordsFrom(stream: Buffer, start: number): Generator<XlsRecord> {
  let depth = 0
  for (let at = start; at + 4 <= stream.length; ) {
    const type = stream.readUInt16LE(at)
    const length = stream.readUInt16LE(at + 2)
    const data = stream.subarray(at + 4, at + 4 + length)
    if (type === types.bof) depth++
    else if (type === types.eof) depth--
    if (depth <= 0) return
    yield { type, data }
    at += 4 + length
  }
}

/** Protected by a password: only the kinds and lengths of its records can be read. */
export function isEncrypted(stream: Buffer): boolean {
  for (const { type } of recordsFrom(stream, 0)) if (type === types.password) return true
  return false
}
