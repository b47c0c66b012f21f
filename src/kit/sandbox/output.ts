/**
 * Collects a command's output. `text` gets it as it comes: whole characters, invalid bytes as U+FFFD, never more than
 * `limitBytes` of UTF-8 in all. `full` is called once, if there is more than that.
 */
export function collectOutput(
  limitBytes: number,
  text: (stream: 'stdout' | 'stderr', text: string) => void,
  full: () => void,
): { add(stream: 'stdout' | 'stderr', bytes: Uint8Array): void; end(): { stdout: string; stderr: string } } {
  const decoders = { stdout: new TextDecoder(), stderr: new TextDecoder() }
  const parts: Record<'stdout' | 'stderr', string[]> = { stdout: [], stderr: [] }
  let leftBytes = limitBytes
  let isFull = false

  const take = (stream: 'stdout' | 'stderr', decoded: string): void => {
    if (decoded === '' || isFull) return
    const fitting = cut(decoded, leftBytes)
    leftBytes -= Buffer.byteLength(fitting)
    if (fitting !== '') {
      parts[stream].push(fitting)
      text(stream, fitting)
    }
    if (fitting.length === decoded.length) return
    isFull = true
    full()
  }
  return {
    add: (stream, bytes) => {
      if (!isFull) take(stream, decoders[stream].decode(bytes, { stream: true }))
    },
    end: () => {
      for (const stream of ['stdout', 'stderr'] as const) take(stream, decoders[stream].decode())
      return { stdout: parts.stdout.join(''), stderr: parts.stderr.join('') }
    },
  }
}

/** The longest beginning of whole characters that is no longer than `bytes` in UTF-8. */
function cut(text: string, bytes: number): string {
  if (Buffer.byteLength(text) <= bytes) return text
  // A decoder that expects more input keeps back a split character.
  return new TextDecoder().decode(Buffer.from(text).subarray(0, bytes), { stream: true })
}
