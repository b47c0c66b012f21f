import { splitMarkdown } from '../../kit/markdown/split.ts'
import type { Reply } from '../../kit/model/model.ts'
import { saysNothing } from '../../kit/model/silence.ts'
import { turnWords } from '../port/words.ts'

/** A mention always gets an answer, so a silent reply becomes a thumbs-up. */
export function wordsOf(reply: Reply): string {
  if (reply.text.trim() === '') return turnWords.cutBeforeSaying()
  return saysNothing(reply.text) ? '👍' : markedIfCut(reply)
}

/** A text that was cut says so, since nobody would see that it isn't whole. */
export function markedIfCut({ text, finish }: Reply): string {
  if (finish !== 'length' && finish !== 'filter') return text
  const why = finish === 'length' ? turnWords.answerCut() : turnWords.answerFiltered()
  // Otherwise an open code block would go on.
  const [closed = text] = splitMarkdown(text, { characters: Number.POSITIVE_INFINITY })
  return `${closed.trimEnd()}\n\n_${why}_`
}
