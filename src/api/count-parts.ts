import { Transform } from 'node:stream'

/**
 * Passes a multipart body on and counts its parts. The parser silently leaves out a part whose header it can't read
 * (such as a file name with a line break), and the count reveals that.
 */
export function countParts(boundary: string): Transform & { parts(): number } {
  const mark = Buffer.from(`--${boundary}\r\n`)
  let tail = Buffer.alloc(0)
  let parts = 0
  const counting = new Transform({
    transform(chunk: Buffer, _, done) {
      const text = Buffer.concat([tail, chunk])
      for (let at = text.indexOf(mark); at !== -1; at = text.indexOf(mark, at + mark.length)) parts++
      // Shorter than a mark, so none is counted twice.
      tail = Buffer.from(text.subarray(Math.max(0, text.length - mark.length + 1)))
      done(null, chunk)
    },
  })
  return Object.assign(counting, { parts: () => parts })
}
