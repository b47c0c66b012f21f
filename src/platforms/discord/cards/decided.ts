import type { Request } from '../../../domain/request.ts'
import { namesOf } from '../../words/approval-words.ts'
import type { Outcome } from '../../words/card-words.ts'
import { modelText, standingOut } from '../text/model-text.ts'
import { moment } from '../text/plain.ts'
import { inputOf, toolOf } from './approval.ts'
import { type CardContainer, colors, container, small, text } from './elements.ts'
import { nameOf } from './names.ts'
import { outcomeDetails } from './outcome.ts'

const colorOf: Record<Outcome['mark'], number> = { '✓': colors.green, '✗': colors.red, '○': colors.grey }

/** Who decided what, and when; what it was about stays visible. */
export function decidedCard(request: Request, outcome: Outcome): CardContainer {
  const { mark, what } = outcome
  const head = request.kind === 'approval' ? `${what}: ${toolOf(request.payload)}` : what
  const details = outcomeDetails(request, outcome)
  const signed = signature(outcome)
  return container(colorOf[mark], [
    text(`### ${mark} ${head}`),
    text(aboutOf(request)),
    ...(details === '' ? [] : [text(details)]),
    ...(signed === '' ? [] : [text(small(signed))]),
  ])
}

const aboutOf = (request: Request): string =>
  request.kind === 'approval'
    ? inputOf(request.payload, 1_000)
    : standingOut(modelText(request.payload.question, { characters: 1_000, bytes: 2_500 }), (words) => `**${words}**`)

/** Discord shows a mention with the person's current name; nobody is notified. */
const signature = ({ by, at }: Outcome): string =>
  [...(by.length === 0 ? [] : [`by ${namesOf(by, nameOf)}`]), ...(at === undefined ? [] : [moment(at)])].join(' · ')
