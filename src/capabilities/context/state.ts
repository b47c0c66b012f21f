import type { SessionId } from '../../domain/ids.ts'
import { readContext, type StoredContext } from '../../store/contexts.ts'
import type { Db } from '../../store/store.ts'
import { type View, wholeView } from './view.ts'

/** How a history was shortened. */
export type Strategy = 'compact' | 'summarize' | 'cut'

/** The size of a context. `share`: of its budget, where 1 is all of it. */
export interface Measure {
  messages: number
  tokens: number
  share: number
}

/** What was sent from then on. It is kept for a while, because a later deletion may have to go back to it. */
export type Sent = Pick<View, 'from' | 'pinned' | 'summary'>

export interface Report {
  strategy: Strategy
  before: Measure
  after: Measure
  sent?: Sent
}

/** What was prepared in the background for a view that began at `base`. Without a `summary`, the model failed. */
export interface Ready extends Omit<Report, 'sent'> {
  base: number
  from: number
  pinned: number | null
  summary: string | null
}

export interface State extends Omit<StoredContext, 'ready' | 'reports'> {
  ready: Ready | undefined
  reports: Report[]
}

export const noState: State = {
  ...wholeView,
  turn: undefined,
  started: undefined,
  ready: undefined,
  reports: [],
}

/** The current state, without anything from before the history was cleared. */
export async function readState(db: Db, session: SessionId, historyFrom: number): Promise<State> {
  // The columns hold what this capability wrote.
  const stored = (await readContext(db, session)) as State | undefined
  if (stored === undefined) return noState
  const ready = stored.ready !== undefined && stored.ready.from >= historyFrom ? stored.ready : undefined
  if (stored.from >= historyFrom) return { ...stored, ready }
  // A deletion may have gone back to a summary of what was cleared. Results left out since then stay left out.
  const prunedTo = stored.prunedTo < historyFrom ? 0 : stored.prunedTo
  return { ...stored, ...wholeView, prunedTo, ready }
}

/** Whether the view is still the same. */
export const isSameView = (one: State, other: State): boolean =>
  one.from === other.from && one.summary === other.summary

export const viewIn = ({ from, pinned, prunedTo, summary }: State): View => ({ from, pinned, prunedTo, summary })
