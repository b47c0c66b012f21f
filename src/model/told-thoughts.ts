/** What goes on is sent in pieces of this many characters. */
const longestPiece = 4_000
/** Shorter pieces are sent this often at most, and only this many of them for one reply. */
const everyMs = 1_000
const mostShort = 200

interface Telling {
  tell(text: string): void | Promise<void>
  now(): number
}

/**
 * Sends reasoning in whole paragraphs, several together, since each piece becomes a stored event for which the stream
 * waits. A second attempt doesn't repeat what the first one sent.
 */
export function toldThoughts({ tell, now }: Telling) {
  const known = new Set<string>()
  /** Whole paragraphs that aren't sent yet. */
  let gathered = ''
  let pending = ''
  let sentAt = Number.NEGATIVE_INFINITY
  let short = 0

  function gather(paragraph: string) {
    const text = paragraph.trim()
    if (text === '' || known.has(text)) return
    known.add(text)
    gathered += gathered === '' ? text : `\n\n${text}`
  }

  async function send() {
    const text = gathered
    gathered = ''
    if (text === '') return
    if (text.length < longestPiece) short++
    sentAt = now()
    await tell(text)
  }

  async function gatherWhole() {
    const paragraphs = pending.split(/\n{2,}/)
    pending = paragraphs.pop() ?? ''
    for (const paragraph of paragraphs) {
      gather(paragraph)
      if (gathered.length >= longestPiece) await send()
    }
    if (pending.length < longestPiece) return
    gather(pending)
    pending = ''
    await send()
  }

  return {
    attemptStarts() {
      pending = ''
    },
    async add(delta: string) {
      pending += delta
      if (delta.includes('\n') || pending.length >= longestPiece) await gatherWhole()
      if (short < mostShort && now() - sentAt >= everyMs) await send()
    },
    /** The model has stopped reasoning for now. */
    async pause() {
      gather(pending)
      pending = ''
      if (short < mostShort || gathered.length >= longestPiece) await send()
    },
    /** The attempt is over. */
    attemptEnds: send,
  }
}
