import type { Passage } from './baselines.ts'
import { print, shown } from './open.ts'

/** A question with the texts that answer it. */
export interface Wanted {
  query: string
  document: string
  evidence: string[]
}

/** A text without its layout. */
const bare = (text: string): string => text.replace(/[\s*|\\…]|<br>/g, '')

/** The place of the first passage that answers it among the first five, from 0; -1 if none does. */
export function rankOf({ evidence }: Wanted, passages: Passage[]): number {
  const wanted = evidence.map(bare)
  return passages.slice(0, shown).findIndex(({ text }) => wanted.some((one) => bare(text).includes(one)))
}

export interface Measured<Question> {
  recall(some: readonly Question[]): number
  mrr(some: readonly Question[]): number
  /** Whether the right document is among the first five. */
  documents(some: readonly Question[]): number
}

/** Asks everything. With `--missed`, says what was not found by `name`. */
export async function asked<Question extends Wanted>(
  name: string,
  questions: readonly Question[],
  search: (question: Question) => Passage[] | Promise<Passage[]>,
): Promise<Measured<Question>> {
  const ranks = new Map<Question, number>()
  const inRightFile = new Set<Question>()
  for (const question of questions) {
    const passages = await search(question)
    const rank = rankOf(question, passages)
    ranks.set(question, rank)
    if (passages.slice(0, shown).some(({ document }) => document === question.document)) inRightFile.add(question)
    if (rank === -1 && name.startsWith('Bobbin') && process.argv.includes('--missed'))
      print(`  missed by ${name} (${question.document}): ${question.query} → ${question.evidence[0]}`)
  }
  const mean = (some: readonly Question[], of: (question: Question) => number) =>
    some.reduce((sum, question) => sum + of(question), 0) / some.length
  const rank = (question: Question) => ranks.get(question) ?? -1
  return {
    recall: (some) => mean(some, (question) => (rank(question) >= 0 ? 1 : 0)),
    mrr: (some) => mean(some, (question) => (rank(question) >= 0 ? 1 / (rank(question) + 1) : 0)),
    documents: (some) => mean(some, (question) => (inRightFile.has(question) ? 1 : 0)),
  }
}
