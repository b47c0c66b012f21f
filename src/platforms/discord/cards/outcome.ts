import type { Request } from '../../../domain/request.ts'
import { oneLine, visible } from '../../../kit/text/text.ts'
import { alwaysOf, scopeWords } from '../../words/approval-words.ts'
import type { Outcome, Said } from '../../words/card-words.ts'
import { chatWords } from '../../words/words.ts'
import { cutTo } from '../text/cut.ts'
import { inlineCode, moment, plain } from '../text/plain.ts'
import { lines } from './elements.ts'

/** What was chosen or said with it: each on its own lines. */
export function outcomeDetails(request: Request, { said }: Outcome): string {
  if (request.kind !== 'approval' && said.length > 1) return answersOf(said)
  const always = request.kind === 'approval' ? alwaysOf(request) : undefined
  return lines(always && alwaysLine(always), ...said.map(quoted))
}

function quoted({ label, text }: Said): string {
  const words = label === undefined ? plain(text) : `**${label}:** ${plain(text)}`
  return `> ${cutTo(words, { characters: 700, bytes: 1_750 })}`
}

/** A pattern as it is, on one line. */
export const patternCode = (pattern: string): string => inlineCode(visible(pattern).replace(/\n/g, '\\n'))

function alwaysLine({ patterns, closed, scope, until }: NonNullable<ReturnType<typeof alwaysOf>>): string {
  const what = patterns?.map(closed ? plain : patternCode).join(', ') ?? chatWords.exactlyThis()
  const shown = cutTo(what, { characters: 900, bytes: 2_250 })
  return `Always: ${shown}, ${scopeWords(scope, 'server')}, until ${until === undefined ? 'revoked' : moment(until)}`
}

/** For a form, each question with its answer. */
function answersOf(said: Said[]): string {
  const each = Math.floor(1_800 / said.length)
  return said
    .map(({ label = '', text }, place) =>
      cutBold(`${place + 1}. ${plain(oneLine(label, 80))}: **${plain(text) || '–'}**`, each),
    )
    .join('\n')
}

/** Bold text that is cut off has to be closed. */
function cutBold(words: string, characters: number): string {
  const shown = cutTo(words, { characters: characters - 2, bytes: (characters - 2) * 2.5 })
  return shown === words ? shown : `${shown}**`
}
