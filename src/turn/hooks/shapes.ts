import { Failure } from '../../kit/failure.ts'
import type { Capability } from '../port/capability.ts'
import type { Operation } from '../port/operation.ts'
import { turnWords } from '../port/words.ts'

type IsRight = (said: unknown) => boolean

const isText: IsRight = (said) => typeof said === 'string'
const isTextIfAny: IsRight = (said) => said === undefined || isText(said)
const listOf =
  (isRight: IsRight): IsRight =>
  (said) =>
    Array.isArray(said) && said.every(isRight)
const objectOf =
  (keys: Record<string, IsRight>): IsRight =>
  (said) =>
    typeof said === 'object' &&
    said !== null &&
    Object.entries(keys).every(([key, isRight]) => isRight((said as Record<string, unknown>)[key]))

const kept = objectOf({ result: isTextIfAny })
const messages = listOf(objectOf({ role: isText }))
const sent = objectOf({ messages, unanswered: messages, reminders: listOf(isText) })

const methods: Record<Operation['method'], true> = { get: true, post: true, put: true, patch: true, delete: true }
const isMethod: IsRight = (said) => typeof said === 'string' && Object.hasOwn(methods, said)
const operations = listOf(objectOf({ path: isText, method: isMethod, summary: isText, answers: objectOf({}) }))

/** What a hook returns, if anything. A plug-in needn't be in TypeScript, and the wrong thing would fail turns later. */
const shapes: Partial<Record<keyof Capability, [what: string, isRight: IsRight]>> = {
  prompt: ['a list of { name, text }', listOf(objectOf({ name: isText, text: isText }))],
  reminders: ['a list of texts', listOf(isText)],
  history: ['{ messages, unanswered, reminders }', sent],
  names: ['a list of names', listOf(isText)],
  implied: ['a list of { name }', listOf(objectOf({ name: isText }))],
  standing: ['a list of lines', listOf(isText)],
  promptBuilt: ['a text', isText],
  userMessage: ['a text', isText],
  operations: ['a list of { path, method, summary, answers }', operations],
  callDone: ['a text or { result, rounds }', (said) => isText(said) || kept(said)],
  replyComplete: ['{ again }', objectOf({ again: isText })],
}

/** Throws `bad_plugin` if a hook returned something else than it should. */
export function checkShape(hook: keyof Capability, said: unknown): void {
  const shape = shapes[hook]
  if (shape === undefined || said === undefined) return
  const [what, isRight] = shape
  if (isRight(said)) return
  throw new Failure('bad_plugin', turnWords.wrongShape({ what }), turnWords.wrongShapeRemedy())
}
