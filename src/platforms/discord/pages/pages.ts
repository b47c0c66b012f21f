import type { Content } from '../../platform.ts'
import { cardOf } from '../cards/card.ts'
import { answerPages, filePages } from './answer-pages.ts'
import type { Page } from './page.ts'
import { recordPages } from './record-page.ts'

/** How content looks here: one page for each message. */
export function pagesOf(content: Content, mostMessages: number): Page[] {
  if (content.kind === 'card') return [{ kind: 'card', container: cardOf(content.request) }]
  if (content.kind === 'record') return recordPages(content.record)
  if (content.kind === 'files') return filePages(content.files)
  return answerPages(content, mostMessages)
}
