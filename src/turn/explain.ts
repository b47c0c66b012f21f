import { Failure } from '../kit/failure.ts'
import { ModelFailure } from '../kit/model/model.ts'
import { asUnavailable } from '../kit/unavailable.ts'
import { isTooLong } from './sent-history.ts'

/** Why a turn failed. `words`: what the thread is told when `message` is for the operator. */
export interface Explained {
  code: string
  message: string
  remedy: string
  words?: string
}

/** What helps, for whoever runs the bot, and all of it in words for a thread, which must not name endpoints and settings. */
interface Help {
  remedy: string
  words: string
}

const inAWhile = 'Say `retry` in a few minutes.'
const whenSetRight = 'Once that is set right and Bobbin has started again, use Resume.'
const shorter =
  'Say `compact` to have the thread summarised, or start a new thread. If the message itself is long, send it as a file.'

/** A retry helps only where nobody has to change anything. */
const ofRefusals: Record<NonNullable<ModelFailure['why']>, Help> = {
  key: {
    remedy: whenSetRight,
    words:
      'The model’s provider doesn’t accept my key. Whoever runs me has to set a valid one. Until then, `retry` won’t help.',
  },
  credit: {
    remedy: 'Once there is credit again, use Resume.',
    words: 'The account for the model is out of credit. Whoever runs me has to top it up.',
  },
  rights: {
    remedy: whenSetRight,
    words: 'My key isn’t allowed to use this model. Whoever runs me has to change that.',
  },
  model: {
    remedy: whenSetRight,
    words: 'The model that I’m set up with doesn’t exist there. Whoever runs me has to choose another.',
  },
}

const ofFailures: Record<ModelFailure['code'], Help> = {
  rate_limited: { remedy: 'Use Resume in a few minutes.', words: `The model is overloaded. ${inAWhile}` },
  unavailable: {
    remedy: 'Use Resume in a few minutes.',
    words: `The model’s provider has a problem. ${inAWhile}`,
  },
  cut: { remedy: 'Use Resume.', words: 'The model’s reply kept breaking off. Say `retry`.' },
  hang: { remedy: 'Use Resume in a few minutes.', words: `The model doesn’t answer. ${inAWhile}` },
  empty: { remedy: 'Ask in other words.', words: 'The model said nothing. Ask in other words.' },
  endless: {
    remedy: 'Ask for less at a time.',
    words: 'The model didn’t stop talking. Ask for less at a time.',
  },
  refused: {
    remedy: 'Ask in other words. If that doesn’t help, the details are in the log.',
    words: 'The model rejected the request. Ask in other words. The details are in the log.',
  },
}

const unreachable: Help = {
  remedy: 'Use Resume once it is back.',
  words: 'The model’s server can’t be reached. Whoever runs me has to look at it. Say `retry` once it’s back.',
}

function helpFor(failure: ModelFailure): Help {
  if (isTooLong(failure)) return { remedy: shorter, words: `That’s more than the model can read. ${shorter}` }
  if (failure.why !== undefined) return ofRefusals[failure.why]
  return failure.unreachable ? unreachable : ofFailures[failure.code]
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
    message: 'Something went wrong inside Bobbin.',
    remedy: 'Ask again. The details are in the log.',
  }
}
