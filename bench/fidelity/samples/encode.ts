/** The bytes of a letter. Node only decodes these encodings: their tables are made by decoding every pair of bytes. */
export function encoderOf(encoding: string): (letter: string) => number[] | undefined {
  if (encoding === 'utf-8') return (letter) => [...Buffer.from(letter)]
  if (encoding === 'utf-16le') return (letter) => [...Buffer.from(letter, 'utf16le')]
  const decoder = new TextDecoder(encoding, { fatal: true })
  const table = new Map<string, number[]>()
  const add = (bytes: number[]) => {
    const letter = decoded(decoder, bytes)
    if (letter !== undefined && [...letter].length === 1 && !table.has(letter)) table.set(letter, bytes)
  }
  for (let first = 0; first < 256; first++) add([first])
  for (let first = 0x81; first < 256; first++) for (let second = 0x40; second < 256; second++) add([first, second])
  return (letter) => table.get(letter)
}

function decoded(decoder: InstanceType<typeof TextDecoder>, bytes: number[]): string | undefined {
  try {
    return decoder.decode(new Uint8Array(bytes))
  } catch {
    // No character of this encoding.
    return undefined
  }
}
