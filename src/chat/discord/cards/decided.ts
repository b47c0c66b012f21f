import type { Request } from '../../../domain/request.ts'
import { oneLine } from '../../../domain/text.ts'
import { type Outcome, outcomeOf } from '../../words.ts'
import { cutTo } from '../cut.ts'
import { modelText, standingOut } from '../model-text.ts'
import type { CardContainer } from '../page.ts'
import { moment, plain } from '../plain.ts'
import { isId } from '../snowflakes.ts'
import { inputOf, toolOf } from './approval.ts'
import { colors, container, small, text } from './parts.ts'

const colorOf: Record<Outcome['mark'], number> = { '✓': colors.green, '✗': colors.red, '○': colors.grey }

/** Who decided what, and when; what it was about stays to be seen. */
export function decidedCard(request: Request): CardContainer {
  const outcome = outcomeOf(request)
  const { mark = '○', what = '', detail } = outcome ?? {}
  const head = request.kind === 'approval' ? `${what}: ${toolOf(request.payload)}` : what
  return container(colorOf[mark], [
    text(`### ${mark} ${head}`),
    text(aboutOf(request)),
    ...(detail === undefined ? [] : [text(`> ${cutTo(plain(detail), { characters: 800, bytes: 2_000 })}`)]),
    ...(outcome === undefined ? [] : [text(small(signature(outcome)))]),
  ])
}

const aboutOf = (request: Request): string =>
  request.kind === 'approval'
    ? inputOf(request.payload, 1_500)
    : standingOut(modelText(request.payload.question, { characters: 1_000, bytes: 2_500 }), (words) => `**${words}**`)

/** Discord shows a person's mark with the name that they have now; nobody is rung. */
function signature({ by, at }: Outcome): string {
  const who = by === undefined ? undefined : `by ${isId(by.id) ? `<@${by.id}>` : plain(oneLine(by.name, 80))}`
  return [who, at === undefined ? undefined : moment(at)].filter(Boolean).join(' · ') || 'by Bobbin'
}
