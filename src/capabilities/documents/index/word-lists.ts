/** The words of several documents in the same languages, each once. */
export interface WordList {
  languages: string[]
  /** As lines; see `Vocabulary`. */
  block: string
  /** Folded. */
  words: ReadonlySet<string>
}

/** A document as far as its words are concerned. */
interface Worded {
  id: number
  languages: string[]
  lastChunk: number
}

/** The blocks of a document's vocabulary. */
type ReadBlocks = (document: number) => string[]

/** Characters of lists that are held in memory. */
const heldCharacters = 4_000_000

/**
 * Word lists by the documents they are of. Every search of a thread needs the same ones, and documents share most of
 * their words.
 */
export class WordLists {
  readonly #lists = new Map<string, WordList>()
  #held = 0

  /** The lists of these documents, one for each choice of languages. */
  async of(entries: Worded[], blocksOf: ReadBlocks, breathe: () => Promise<void>): Promise<WordList[]> {
    const groups = Map.groupBy(entries, ({ languages }) => languages.join())
    const lists: WordList[] = []
    for (const group of groups.values()) {
      // More of a document comes with more chunks.
      const key = group.map(({ id, lastChunk }) => `${id}:${lastChunk}`).join()
      const list = this.#lists.get(key) ?? (await listOf(group, blocksOf, breathe))
      this.#keep(key, list)
      lists.push(list)
    }
    return lists
  }

  clear(): void {
    this.#lists.clear()
    this.#held = 0
  }

  /** As the one that was used last. */
  #keep(key: string, list: WordList): void {
    if (!this.#lists.delete(key)) this.#held += list.block.length
    this.#lists.set(key, list)
    for (const [oldest, { block }] of this.#lists) {
      if (this.#held <= heldCharacters) break
      this.#lists.delete(oldest)
      this.#held -= block.length
    }
  }
}

async function listOf(entries: Worded[], blocksOf: ReadBlocks, breathe: () => Promise<void>): Promise<WordList> {
  const words = new Set<string>()
  const lines: string[] = []
  for (const { id } of entries) {
    for (const block of blocksOf(id)) {
      for (let start = 1; start < block.length; ) {
        const end = block.indexOf('\n', start)
        const line = block.slice(start, end)
        const tab = line.indexOf('\t')
        const word = tab === -1 ? line : line.slice(0, tab)
        start = end + 1
        if (words.has(word)) continue
        words.add(word)
        lines.push(line)
      }
      await breathe()
    }
  }
  return { languages: entries[0]?.languages ?? [], block: `\n${lines.join('\n')}\n`, words }
}
