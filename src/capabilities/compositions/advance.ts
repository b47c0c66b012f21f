import type { CallId } from '../../domain/ids.ts'
import type { EndState } from '../../store/calls.ts'
import { type Composition, filled, type Step } from './settings.ts'

/** A call that was decided on. It may not have been made, if the process ended in that moment. */
export interface BegunCall {
  step: string
  isFallback: boolean
  id: CallId
}

/** How a call ended, and with which text. */
export interface Outcome {
  state: EndState
  result: string
}

/** What to do next in a chain. */
export type Next =
  | { do: 'call'; calls: { step: Step; isFallback: boolean; id?: CallId; tool: string; input: Step['input'] }[] }
  | { do: 'end'; failed: string | undefined }

/**
 * Decides what comes next from what was begun and how it ended. A call without an outcome was never made, because the
 * model isn't asked again until all calls have ended.
 */
export function advance(
  { groups }: Composition,
  parameters: Readonly<Record<string, string>>,
  begun: readonly BegunCall[],
  outcomes: ReadonlyMap<CallId, Outcome>,
): Next {
  const texts = new Map(Object.entries(parameters))
  const done = new Set<string>()
  const askedAbout = new Set(groups.flat().flatMap((one) => [one.if, one.unless]))
  for (const group of groups) {
    const calls: Extract<Next, { do: 'call' }>['calls'] = []
    let failed: string | undefined
    for (const step of group.filter(({ if: when, unless }) => isDue(when, unless, done))) {
      const tried = [false, true].map((isFallback) => {
        const known = begun.find((one) => one.step === step.name && one.isFallback === isFallback)
        return { known, outcome: known && outcomes.get(known.id) }
      })
      const well = tried.find(({ outcome }) => outcome?.state === 'done')
      const open = tried.findIndex(({ outcome }) => outcome === undefined)
      const isUnclear = tried.some(({ outcome }) => outcome?.state === 'unknown')
      const call = open === 0 ? step : open === 1 ? step.otherwise : undefined
      if (well?.outcome !== undefined) {
        done.add(step.name)
        texts.set(step.name, well.outcome.result)
      } else if (isUnclear) {
        // It may have taken effect: another way might do the same again, so the model looks first.
        failed ??= step.name
      } else if (call !== undefined) {
        const id = tried[open]?.known?.id
        const { tool, input } = call
        calls.push({ step, isFallback: open === 1, ...(id && { id }), tool, input: filled(input, texts) })
      } else if (!askedAbout.has(step.name)) failed ??= step.name
    }
    if (calls.length > 0) return { do: 'call', calls }
    if (failed !== undefined) return { do: 'end', failed }
  }
  return { do: 'end', failed: undefined }
}

const isDue = (when: string | undefined, unless: string | undefined, done: ReadonlySet<string>): boolean =>
  (when === undefined || done.has(when)) && (unless === undefined || !done.has(unless))
