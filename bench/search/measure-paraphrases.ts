import { fold } from '../../src/kit/documents/chunks/fold.ts'
import { isFrequent } from '../../src/kit/documents/chunks/languages.ts'
import { Terms } from '../../src/kit/documents/chunks/terms.ts'
import { tokensIn } from '../../src/kit/documents/chunks/tokens.ts'
import type { Passage, Search } from './baselines.ts'
import { print, shown } from './open.ts'
import { asked, type Measured, type Wanted } from './recall.ts'

/** A question in somebody's own words, and the same in others. */
export interface Worded extends Wanted {
  wordings: readonly string[]
  language: string
  /** The text that answers it, if it is known whole. */
  passage?: string
}

type Found = (query: string, others?: readonly string[]) => Promise<Passage[]>

/** Prints how they are found by the question alone, by all wordings, and by vectors if there are some. */
export async function measureParaphrases(
  questions: readonly Worded[],
  words: Found,
  fts: Search,
  vectors?: { name: string; found: Found },
): Promise<void> {
  const strange = questions.filter(sharesNothing)
  print(`\n${questions.length} paraphrased questions; ${strange.length} share no content word with what answers them`)
  const line = (name: string, measured: Measured<Worded>) =>
    print(
      `  ${name}: passage recall@${shown} ${measured.recall(questions).toFixed(3)} (${measured.recall(strange).toFixed(3)} of those that share nothing), MRR ${measured.mrr(questions).toFixed(3)}, file recall@${shown} ${measured.documents(questions).toFixed(3)}`,
    )
  const run = async (name: string, found: (question: Worded) => Passage[] | Promise<Passage[]>) =>
    line(name, await asked(name, questions, found))
  await run('FTS5, the question', ({ query, language }) => fts(query, language))
  await run('FTS5, all wordings', ({ wordings, language }) => fts(wordings.join(' '), language))
  await run('Bobbin, the question', ({ query }) => words(query))
  await run('Bobbin, all wordings', ({ query, wordings }) => words(query, wordings.slice(1)))
  if (vectors === undefined) return
  const { name, found } = vectors
  await run(`Bobbin, the question with ${name}`, ({ query }) => found(query))
  await run(`Bobbin, all wordings with ${name}`, ({ query, wordings }) => found(query, wordings.slice(1)))
}

/** Neither a word of it that says anything, nor another form of one, is in the passage. */
function sharesNothing({ query, passage, evidence }: Worded): boolean {
  const terms = new Terms(['english', 'german'])
  const wordsOf = (text: string) =>
    [...tokensIn(text)].flatMap((token) => {
      const [written = ''] = token.forms
      return isFrequent(fold(written)) ? [] : terms.of(token)
    })
  const inPassage = new Set(wordsOf(passage ?? evidence.join(' ')))
  return !wordsOf(query).some((word) => inPassage.has(word))
}
