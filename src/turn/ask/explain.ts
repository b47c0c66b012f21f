import { Failure } from '../../kit/failure.ts'
import { ModelFailure } from '../../kit/model/model.ts'
import { asUnavailable } from '../../kit/unavailable.ts'
import { turnWords } from '../port/words.ts'
import { isTooLong } from './sent-history.ts'

/** Why a turn failed. `words`: what the thread is told when `message` is for the operator. */
export interface Explained {
  code: string
  message: string
  remedy: string
  words?: string
}

/** For a thread, which must not name endpoints and settings: what happened (`fact`), and what helps (`advice`). */
interface Help {
  /** What helps, for whoever runs the bot. */
  remedy: string
  fact: string
  advice: string
}

const help = (remedy: string, fact: string, advice: string): Help => ({ remedy, fact, advice })

/**
 * A retry helps only where nobody has to change anything. Functions, because they are said in the language of the
 * moment.
 */
const ofRefusals: Record<NonNullable<ModelFailure['why']>, () => Help> = {
  key: () => help(turnWords.keyRemedy(), turnWords.keyRefused(), turnWords.setKey()),
  credit: () => help(turnWords.creditRemedy(), turnWords.noCredit(), turnWords.topUp()),
  rights: () => help(turnWords.keyRemedy(), turnWords.noRights(), turnWords.changeThat()),
  model: () => help(turnWords.keyRemedy(), turnWords.noSuchModel(), turnWords.chooseModel()),
  length: () => help(turnWords.tooLongRemedy(), turnWords.tooLong(), turnWords.tooLongRemedy()),
  tools: () => help(turnWords.noToolsRemedy(), turnWords.noTools(), turnWords.changeThat()),
  filter: () => help(turnWords.filteredRemedy(), turnWords.filtered(), turnWords.takeBack()),
}

const ofFailures: Record<ModelFailure['code'], () => Help> = {
  rate_limited: () => help(turnWords.laterRemedy(), turnWords.overloaded(), turnWords.retryLater()),
  unavailable: () => help(turnWords.laterRemedy(), turnWords.providerFailed(), turnWords.retryLater()),
  cut: () => help(turnWords.cutRemedy(), turnWords.brokeOff(), turnWords.retryNow()),
  hang: () => help(turnWords.hangRemedy(), turnWords.noAnswer(), turnWords.retryLater()),
  empty: () => help(turnWords.emptyRemedy(), turnWords.empty(), turnWords.rephrase()),
  endless: () => help(turnWords.endlessRemedy(), turnWords.endless(), turnWords.endlessRemedy()),
  refused: () => help(turnWords.rejectedRemedy(), turnWords.rejected(), turnWords.rephraseOrLog()),
}

function helpFor(failure: ModelFailure): Help {
  if (failure.why !== undefined) return ofRefusals[failure.why]()
  return failure.unreachable
    ? help(turnWords.unreachableRemedy(), turnWords.unreachable(), turnWords.onceReachable())
    : ofFailures[failure.code]()
}

/** Why a model failed, in a sentence for the thread. */
export const factOf = (failure: ModelFailure): string => helpFor(failure).fact

export function explain(thrown: unknown): Explained {
  if (thrown instanceof ModelFailure) {
    const code = isTooLong(thrown) ? 'model_too_long' : `model_${thrown.code}`
    const { remedy, fact, advice } = helpFor(thrown)
    return { code, message: thrown.message, remedy, words: `${fact} ${advice}` }
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
