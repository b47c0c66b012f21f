import { Failure } from '../kit/failure.ts'
import { ModelFailure } from '../kit/model/model.ts'
import { asUnavailable } from '../kit/unavailable.ts'
import { isTooLong } from './ask/sent-history.ts'
import { turnWords } from './port/words.ts'

/** Why a turn failed. `words`: what the thread is told when `message` is for the operator. */
export interface Explained {
  code: string
  message: string
  remedy: string
  words?: string
}

/**
 * What helps, for whoever runs the bot, and all of it in words for a thread, which must not name endpoints and
 * settings.
 */
interface Help {
  remedy: string
  words: string
}

/**
 * A retry helps only where nobody has to change anything. Functions, because they are said in the language of the
 * moment.
 */
const ofRefusals: Record<NonNullable<ModelFailure['why']>, () => Help> = {
  key: () => ({ remedy: turnWords.keyRemedy(), words: turnWords.keyRefused() }),
  credit: () => ({ remedy: turnWords.creditRemedy(), words: turnWords.noCredit() }),
  rights: () => ({ remedy: turnWords.keyRemedy(), words: turnWords.noRights() }),
  model: () => ({ remedy: turnWords.keyRemedy(), words: turnWords.noSuchModel() }),
  length: () => ({ remedy: turnWords.tooLongRemedy(), words: turnWords.tooLong() }),
  tools: () => ({ remedy: turnWords.noToolsRemedy(), words: turnWords.noTools() }),
  filter: () => ({ remedy: turnWords.filteredRemedy(), words: turnWords.filtered() }),
}

const ofFailures: Record<ModelFailure['code'], () => Help> = {
  rate_limited: () => ({ remedy: turnWords.laterRemedy(), words: turnWords.overloaded() }),
  unavailable: () => ({ remedy: turnWords.laterRemedy(), words: turnWords.providerFailed() }),
  cut: () => ({ remedy: turnWords.cutRemedy(), words: turnWords.brokeOff() }),
  hang: () => ({ remedy: turnWords.hangRemedy(), words: turnWords.noAnswer() }),
  empty: () => ({ remedy: turnWords.emptyRemedy(), words: turnWords.empty() }),
  endless: () => ({ remedy: turnWords.endlessRemedy(), words: turnWords.endless() }),
  refused: () => ({ remedy: turnWords.rejectedRemedy(), words: turnWords.rejected() }),
}

function helpFor(failure: ModelFailure): Help {
  if (failure.why !== undefined) return ofRefusals[failure.why]()
  return failure.unreachable
    ? { remedy: turnWords.unreachableRemedy(), words: turnWords.unreachable() }
    : ofFailures[failure.code]()
}

export function explain(thrown: unknown): Explained {
  if (thrown instanceof ModelFailure) {
    const code = isTooLong(thrown) ? 'model_too_long' : `model_${thrown.code}`
    return { code, message: thrown.message, ...helpFor(thrown) }
  }
  const fault = asUnavailable(thrown)
  if (fault !== undefined) return { code: fault.code, message: fault.message, remedy: fault.remedy }
  if (thrown instanceof Failure) return { code: thrown.code, message: thrown.message, remedy: thrown.remedy }
  return {
    code: 'internal',
    // The details are only logged, because they may name paths, queries and addresses.
    message: turnWords.internal(),
    remedy: turnWords.internalRemedy(),
  }
}
