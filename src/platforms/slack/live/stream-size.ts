import type { Plan } from '../pages/page.ts'
import { sizeOf } from '../text/size.ts'
import { textsIn } from '../text/texts-in-blocks.ts'
import type { Shown } from './continuation.ts'

/** In bytes, with its titles: Slack refuses a stream of some 10,600 or more (measured in openclaw/openclaw#143882). */
export const mostStreamed = 10_400

const sumOf = (texts: Iterable<string>): number => [...texts].reduce((sum, text) => sum + sizeOf(text), 0)

export const sizeOfPlan = (plan: Plan | undefined): number =>
  plan === undefined ? 0 : sumOf([plan.title, ...plan.tasks.map(({ title }) => title)])

/** Whether a stream can show so much. */
export const isStreamable = ({ plan, pieces }: Shown): boolean =>
  sizeOfPlan(plan) + sumOf(pieces.flatMap((one) => (one.kind === 'block' ? [...textsIn(one.block)] : [one.text]))) <=
  mostStreamed
