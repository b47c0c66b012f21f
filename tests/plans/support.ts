import { requestsOf, resultsIn, taskIn } from '../delegation/support.ts'
import type { TestBot } from '../support/bot.ts'
import { calls, type RequestBody, type ScriptedReply } from '../support/model-server.ts'

/** A step of a plan as a model gives it. */
export const step = (what: string, more: object = {}) => ({ what, gives: `what comes of ${what}`, ...more })

export const makes = (steps: object[], more: object = {}): ScriptedReply =>
  calls('make_plan', { title: 'Compare the offers', confidence: 95, steps, ...more })

const isChild = (body: RequestBody): boolean => requestsOf([body], 'child').length > 0

/** What a step is about: the first line of its task. */
export const aboutIn = (body: RequestBody): string => taskIn(body).split('\n')[0] ?? ''

/** Calls that the program made in the model's place. */
const byProgram = new Set(['plan_step', 'ask_decision'])

/** A model that is two: what a thread's turn replies, one after the other, and what the session of a step replies. */
export const planning =
  (parent: ScriptedReply[], child: (about: string, body: RequestBody) => ScriptedReply) =>
  (body: RequestBody): ScriptedReply | undefined => {
    if (isChild(body)) return child(aboutIn(body), body)
    const own = body.messages.filter(
      (one) => one.role === 'assistant' && !one.tool_calls?.every(({ function: { name } }) => byProgram.has(name)),
    )
    return parent[own.length]
  }

/** What each step was asked to do, in the order in which they began. */
export const tasksOf = ({ model }: TestBot): string[] => requestsOf(model.requests, 'child').map(taskIn)

export const lastResults = ({ model }: TestBot): string[] => resultsIn(requestsOf(model.requests, 'parent').at(-1))
