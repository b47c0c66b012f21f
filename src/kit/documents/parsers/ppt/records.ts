/** What the parts of a presentation are stored as: a type, a length, and either values or more records. */
export interface Rec {
  type: number
  /** What a record is among others of its type. */
  instance: number
  /** Its content. */
  body: Buffer
}

export const types = {
  document: 1000,
  slide: 1006,
  slideAtom: 1007,
  slidePersist: 1011,
  notesAtom: 1009,
  slideShowInfo: 1017,
  drawing: 1036,
  placeholder: 3011,
  outlineText: 3998,
  textHeader: 3999,
  textChars: 4000,
  textStyle: 4001,
  textBytes: 4008,
  cString: 4026,
  hyperlinkAtom: 4051,
  hyperlink: 4055,
  textRange: 4063,
  slideList: 4080,
  interactive: 4082,
  interactiveAtom: 4083,
  userEdit: 4085,
  persistDirectory: 6002,
  comment: 12000,
  shapeGroup: 0xf003,
  shape: 0xf004,
  shapeKind: 0xf00a,
  textbox: 0xf00d,
  innerAnchor: 0xf00f,
  anchor: 0xf010,
  moreOptions: 0xf122,
} as const

/** Holds records, though it isn't marked so: what later versions have added. */
const addedData = 0x138b

const headBytes = 8

/** Records that follow each other. One that is longer than what holds it is cut. */
export function recordsIn(bytes: Buffer): Rec[] {
  const found: Rec[] = []
  for (let at = 0; at + headBytes <= bytes.length; ) {
    const record = recordAt(bytes, at)
    found.push(record)
    at += headBytes + record.body.length
  }
  return found
}

export function recordAt(bytes: Buffer, at: number): Rec {
  const start = at + headBytes
  return {
    instance: bytes.readUInt16LE(at) >> 4,
    type: bytes.readUInt16LE(at + 2),
    body: bytes.subarray(start, start + bytes.readUInt32LE(at + 4)),
  }
}

export const first = (bytes: Buffer | undefined, type: number): Rec | undefined =>
  bytes === undefined ? undefined : recordsIn(bytes).find((record) => record.type === type)

/** Groups in groups are followed so deep. */
const deepest = 50

/** Records of this type at any depth. */
export function allWithin(bytes: Buffer, type: number, depth = 0): Rec[] {
  if (depth > deepest) return []
  const found: Rec[] = []
  for (let at = 0; at + headBytes <= bytes.length; ) {
    const record = recordAt(bytes, at)
    const holdsRecords = ((bytes[at] ?? 0) & 15) === 15 || record.type === addedData
    at += headBytes + record.body.length
    if (record.type === type) found.push(record)
    else if (holdsRecords) for (const one of allWithin(record.body, type, depth + 1)) found.push(one)
  }
  return found
}
