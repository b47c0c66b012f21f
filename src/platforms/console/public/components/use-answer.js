import { useState } from 'preact/hooks'
import { answer } from '../actions.js'
import { answerAt } from '../card-focus.js'

/** Answers a card's request: whether an answer is under way, why the last one failed, and how to send one. */
export function useAnswer(requestId) {
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState('')
  const reply = async (body) => {
    setBusy(true)
    setProblem('')
    setProblem((await answerAt(requestId, () => answer(requestId, body))) ?? '')
    setBusy(false)
  }
  return { busy, problem, setProblem, reply }
}
