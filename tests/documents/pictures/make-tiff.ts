/** A field of a page's directory: its number, and values of 4 bytes, or bytes as they are. */
export type TiffField = [field: number, values: number[] | Uint8Array]

/** A TIFF whose pages have these fields; \`data\` lies at byte 8. \`circle\`: the last page is followed by the first. */
export function tiff(data: Uint8Array, pages: TiffField[][], { isLittle = true, circle = false } = {}): Buffer {
  const number = (value: number, bytes: 2 | 4): Buffer => {
    const made = Buffer.alloc(bytes)
    if (isLittle) made.writeUIntLE(value, 0, bytes)
    else made.writeUIntBE(value, 0, bytes)
    return made
  }
  const starts: number[] = []
  const pieces: Buffer[] = [Buffer.from(data)]
  let at = 8 + data.length
  const put = (bytes: Buffer): number => {
    pieces.push(bytes)
    at += bytes.length
    return at - bytes.length
  }
  const directories = pages.map((fields) =>
    fields
      .toSorted(([one], [other]) => one - other)
      .map(([field, values]) => {
        const isBytes = values instanceof Uint8Array
        const written = isBytes ? Buffer.from(values) : Buffer.concat(values.map((value) => number(value, 4)))
        const value =
          written.length <= 4 ? Buffer.concat([written, Buffer.alloc(4)]).subarray(0, 4) : number(put(written), 4)
        return Buffer.concat([number(field, 2), number(isBytes ? 7 : 4, 2), number(values.length, 4), value])
      }),
  )
  for (const [index, entries] of directories.entries()) {
    const length = 2 + entries.length * 12 + 4
    const next = index + 1 < directories.length ? at + length : circle ? (starts[0] ?? at) : 0
    starts.push(put(Buffer.concat([number(entries.length, 2), ...entries, number(next, 4)])))
  }
  return Buffer.concat([Buffer.from(isLittle ? 'II' : 'MM'), number(42, 2), number(starts[0] ?? 0, 4), ...pieces])
}

/** Fields of a page of grey bytes, in one strip at byte 8. */
export const grey = (width: number, height: number, length = width * height): TiffField[] => [
  [256, [width]],
  [257, [height]],
  [258, [8]],
  [259, [1]],
  [262, [1]],
  [273, [8]],
  [277, [1]],
  [278, [height]],
  [279, [length]],
]
