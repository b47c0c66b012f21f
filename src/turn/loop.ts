import type { Message } from '../domain/messages.ts'
import type { Journal } from './journal-port.ts'

export interface LoopDeps {
  journal: Journal
  /** Brings every open call as far as it goes; `waiting` when one needs a person, `none` when none was open. */
  settleCalls(): Promise<'none' | 'settled' | 'waiting'>
  /** One model call, stored. `last`: without tools, and the turn ends with it. */
  ask(kind: 'step' | 'last'): Promise<'open' | 'ended'>
  /** The answer of a call that ends the turn, if the latest reply has one. */
  finishedBy(history: Message[]): string | undefined
  maxSteps: number
  maxCallsPerStep: number
  /** True when the process is about to end: the turn stays open for the next one. */
  leaving(): boolean
}

/**
 * One turn, from wherever it stands. It returns when the turn has ended, waits for a person, or the process is leaving;
 * a crash, a restart and a click that comes a day later all enter here again.
 */
export async function runTurn(deps: LoopDeps): Promise<void> {
  const { journal } = deps
  // What a former process left: its last reply may have ended the turn.
  let mayHaveFinished = journal.steps() > 0
  while (!deps.leaving()) {
    const settled = await deps.settleCalls()
    if (settled === 'waiting') {
      if (await journal.rest()) return
      continue
    }
    if (deps.leaving()) return

    if (settled === 'settled' || mayHaveFinished) {
      const answer = deps.finishedBy(await journal.history(deps.maxCallsPerStep + 1))
      if (answer !== undefined && (await journal.finish(answer, 'nothing-arrived')) === 'ended') return
    }
    mayHaveFinished = false

    await journal.readInbox()
    // What had arrived when the turn was about to end may have been taken back since.
    if (journal.steps() > 0 && isAnswer((await journal.history(1)).at(-1))) {
      if ((await journal.endAnswered()) === 'ended') return
      continue
    }
    const outcome = await deps.ask(journal.steps() < deps.maxSteps ? 'step' : 'last')
    if (outcome === 'ended') return
  }
}

const isAnswer = (latest: Message | undefined): boolean => latest?.role === 'assistant' && latest.calls.length === 0
