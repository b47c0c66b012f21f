/** A paragraph that goes on is sent in pieces of this many characters. */
const longestParagraph = 4_000

/**
 * Sends reasoning by the paragraph, since each becomes a stored event. A second attempt doesn't repeat what the first
 * one sent.
 */
export function toldThoughts(tell: (text: string) => void | Promise<void>) {
  const told = new Set<string>()
  let pending = ''

  async function tellOnce(paragraph: string) {
    const text = paragraph.trim()
    if (text === '' || told.has(text)) return
    told.add(text)
    await tell(text)
  }

  return {
    attemptStarts() {
      pending = ''
    },
    async add(delta: string) {
      pending += delta
      if (!delta.includes('\n') && pending.length < longestParagraph) return
      const paragraphs = pending.split(/\n{2,}/)
      pending = paragraphs.pop() ?? ''
      for (const paragraph of paragraphs) await tellOnce(paragraph)
      if (pending.length < longestParagraph) return
      await this.pause()
    },
    /** The model has stopped reasoning for now. */
    async pause() {
      const rest = pending
      pending = ''
      await tellOnce(rest)
    },
  }
}
