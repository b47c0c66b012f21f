import type { Plan, PlanStep } from '../../domain/plan.ts'
import { listed } from '../../kit/words/list.ts'
import { plansWords } from './words.ts'

type Edit =
  | { do: 'run'; oneByOne?: boolean }
  | { do: 'cancel' }
  | { do: 'drop'; steps: number[] }
  | { do: 'move'; step: number; to: 'before' | 'after'; other: number }
  | { do: 'order'; steps: number[] }
  | { do: 'add'; step?: number; words: string }

/** What a person's answer does to a plan. `unclear`: it is more than an edit, so the model reads it. */
export type Edited =
  | { kind: 'edited'; plan: Plan; runs: boolean }
  | { kind: 'cancelled' }
  | { kind: 'wrong'; why: string }
  | { kind: 'unclear' }

const number = '(?:step\\s*)?#?(\\d{1,2})'
const numbers = '((?:step\\s*|steps\\s*)?#?\\d{1,2}(?:\\s*(?:,|and|&|、|和)\\s*(?:step\\s*)?#?\\d{1,2})*)'

const forms: [RegExp, (found: string[]) => Edit][] = [
  [/^(?:yes|yep|ok(?:ay)?|go|go ahead|run|run it|do it|start|approved?|执行|开始|好)$/i, () => ({ do: 'run' })],
  [/^(?:run (?:it|them) )?(?:one by one|step by step|one after the other)$/i, () => ({ do: 'run', oneByOne: true })],
  [/^(?:run (?:it|them) )?(?:side by side|in parallel)$/i, () => ({ do: 'run', oneByOne: false })],
  [/^(?:no|cancel|don[’']?t run it|don[’']?t|stop|取消)$/i, () => ({ do: 'cancel' })],
  [
    new RegExp(`^(?:drop|remove|delete|skip|without|leave out|删除)\\s*${numbers}$`, 'i'),
    ([, list = '']) => ({ do: 'drop', steps: toNumbers(list) }),
  ],
  [
    new RegExp(`^(?:move\\s*)?${number}\\s*(before|after)\\s*${number}$`, 'i'),
    ([, step, to = '', other]) => ({
      do: 'move',
      step: Number(step),
      other: Number(other),
      to: to.toLowerCase() === 'before' ? 'before' : 'after',
    }),
  ],
  [new RegExp(`^order\\s*[:：]?\\s*${numbers}$`, 'i'), ([, list = '']) => ({ do: 'order', steps: toNumbers(list) })],
  [
    new RegExp(`^${number}\\s*[:：]\\s*(\\S[\\s\\S]*)$`, 'i'),
    ([, step, words = '']) => ({ do: 'add', step: Number(step), words }),
  ],
  [/^(?:add|note|also)\s*[:：]\s*(\S[\s\S]*)$/i, ([, words = '']) => ({ do: 'add', words })],
]

const toNumbers = (list: string): number[] => Array.from(list.matchAll(/\d+/g), ([digits]) => Number(digits))

/** Lines and parts with a semicolon are edits of their own. */
export function editsIn(answer: string): (Edit | undefined)[] {
  const parts = answer
    .split(/[\n;；]/)
    .map((part) => part.trim().replace(/[.!。！]$/, ''))
    .filter((part) => part !== '')
  return parts.map((part) => {
    for (const [form, toEdit] of forms) {
      const found = form.exec(part)
      if (found !== null) return toEdit(found)
    }
    return undefined
  })
}

/** Numbers are those that people saw. */
export function edited(plan: Plan, answer: string): Edited {
  const edits = editsIn(answer)
  if (edits.length === 0 || edits.includes(undefined)) return { kind: 'unclear' }
  return applied(plan, edits as Edit[])
}

function applied(plan: Plan, edits: readonly Edit[]): Edited {
  if (edits.some((one) => one.do === 'cancel')) return { kind: 'cancelled' }
  let { steps, oneByOne, words } = plan
  const missing = edits.flatMap(namedIn).find((one) => !steps.some(({ number }) => number === one))
  if (missing !== undefined) return { kind: 'wrong', why: plansWords.noStep({ step: missing }) }
  for (const edit of edits) {
    if (edit.do === 'run') oneByOne = edit.oneByOne ?? oneByOne
    else if (edit.do === 'drop') steps = edit.steps.reduce(without, steps)
    else if (edit.do === 'move') steps = moved(steps, edit.step, edit.to, edit.other)
    else if (edit.do === 'order') steps = ordered(steps, edit.steps)
    else if (edit.do === 'add' && edit.step === undefined) words = [...words, edit.words]
    else if (edit.do === 'add')
      steps = steps.map((one) => (one.number === edit.step ? { ...one, words: [...one.words, edit.words] } : one))
  }
  if (steps.length === 0) return { kind: 'wrong', why: plansWords.wouldBeEmpty() }
  const early = steps.find(({ after }, place) =>
    after.some((one) => steps.findIndex(({ number }) => number === one) > place),
  )
  if (early !== undefined)
    return {
      kind: 'wrong',
      why: plansWords.tooEarly({
        step: early.number,
        count: early.after.length,
        earlier: listed(early.after.map(String)),
      }),
    }
  const runs = edits.some((one) => one.do === 'run')
  return { kind: 'edited', plan: { ...plan, oneByOne, words, steps: numbered(steps) }, runs }
}

const namedIn = (edit: Edit): number[] => {
  if (edit.do === 'drop' || edit.do === 'order') return edit.steps
  if (edit.do === 'move') return [edit.step, edit.other]
  return edit.do === 'add' && edit.step !== undefined ? [edit.step] : []
}

/** What needed the dropped step needs what that one needed. */
function without(steps: PlanStep[], dropped: number): PlanStep[] {
  const gone = steps.find((one) => one.number === dropped)
  return steps.flatMap((one) => {
    if (one === gone) return []
    if (!one.after.includes(dropped)) return [one]
    return [
      { ...one, after: [...new Set([...one.after.filter((other) => other !== dropped), ...(gone?.after ?? [])])] },
    ]
  })
}

function moved(steps: PlanStep[], step: number, to: 'before' | 'after', other: number): PlanStep[] {
  const mover = steps.find((one) => one.number === step)
  const rest = steps.filter((one) => one !== mover)
  const place = rest.findIndex((one) => one.number === other)
  if (mover === undefined || place < 0) return steps
  return rest.toSpliced(to === 'before' ? place : place + 1, 0, mover)
}

/** Those that aren't named come last, as they were. */
function ordered(steps: PlanStep[], order: readonly number[]): PlanStep[] {
  const first = order.flatMap((wanted) => steps.find((one) => one.number === wanted) ?? [])
  return [...new Set([...first, ...steps])]
}

/** Numbers them anew, in their order. */
function numbered(steps: PlanStep[]): PlanStep[] {
  const now = new Map(steps.map(({ number }, place) => [number, place + 1]))
  return steps.map((one, place) => ({
    ...one,
    number: place + 1,
    after: one.after.flatMap((other) => now.get(other) ?? []).toSorted((a, b) => a - b),
  }))
}
