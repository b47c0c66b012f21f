import type { Saying } from '../../platform.ts'
import { cardOf } from '../cards/card.ts'
import { answerPages, filePages } from './answer-pages.ts'
import type { Page } from './page.ts'
import { recordPages } from './record-page.ts'

/** What a saying looks like here: one page for each message. */
export function pagesOf(saying: Saying, mostMessages: number): Page[] {
  if (saying.kind === 'card') return [{ kind: 'card', container: cardOf(saying.request) }]
  if (saying.kind === 'record') return recordPages(saying.record)
  if (saying.kind === 'files') return filePages(saying.files)
  return answerPages(saying, mostMessages)
}
