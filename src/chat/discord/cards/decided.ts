import type { Request } from '../../../domain/request.ts'
import type { Outcome } from '../../words.ts'
import { modelText, standingOut } from '../model-text.ts'
import type { CardContainer } from '../page.ts'
import { moment } from '../plain.ts'
import { inputOf, toolOf } from './approval.ts'
import { votesOf } from './facts.ts'
import { nameOf } from './named.ts'
import { detailsOf, endOf } from './outcome.ts'
import { colors, container, lines, small, text } from './parts.ts'

const colorOf: Record<Outcome['mark'], number> = { '✓': colors.green, '✗': colors.red, '○': colors.grey }

/** Who decided what, and when; what it was about stays to be seen. */
export function decidedCard(request: Request): CardContainer {
  const outcome = endOf(request)
  const { mark = '○', what = '' } = outcome ?? {}
  const head = request.kind === 'approval' ? `${what}: ${toolOf(request.payload)}` : what
  const details = detailsOf(request)
  return container(colorOf[mark], [
    text(`### ${mark} ${head}`),
    text(aboutOf(request)),
    ...(details === '' ? [] : [text(details)]),
    ...(outcome === undefined ? [] : [text(lines(voted(request), small(signature(outcome))))]),
  ])
}

const aboutOf = (request: Request): string =>
  request.kind === 'approval'
    ? inputOf(request.payload, 1_000)
    : standingOut(modelText(request.payload.question, { characters: 1_000, bytes: 2_500 }), (words) => `**${words}**`)

const voted = (request: Request): string | undefined =>
  request.kind === 'approval' && request.decided.needed > 1 ? small(votesOf(request)) : undefined

/** Discord shows a person's mark with the name that they have now; nobody is rung. */
function signature({ by, at }: Outcome): string {
  const who = by === undefined ? undefined : `by ${nameOf(by)}`
  return [who, at === undefined ? undefined : moment(at)].filter(Boolean).join(' · ') || 'by Bobbin'
}
