import { expect, onTestFinished, test } from 'vitest'
import { elicit } from '../../src/capabilities/mcp/elicit.ts'
import { hostOf } from '../../src/capabilities/mcp/host.ts'
import type { OpenCall } from '../../src/capabilities/mcp/open-calls.ts'
import { Patience } from '../../src/capabilities/mcp/patience.ts'
import type { FormField } from '../../src/capabilities/mcp/port.ts'
import type { Given, Question } from '../../src/domain/question.ts'
import type { QuestionRequest } from '../../src/domain/request.ts'
import type { ToolContext } from '../../src/domain/tool.ts'
import { Unavailable } from '../../src/kit/failure.ts'
import { toAnswer } from '../../src/trust/answer.ts'
import { answerIn } from '../../src/trust/answer-in-text.ts'

/** What a server gets to hear if people answer its question with a message, or in a form. */
function told(fields: FormField[], said: string | Given) {
  const ask = async (payload: Question) => {
    const request = { kind: 'question', payload } as QuestionRequest
    return typeof said === 'string' ? answerIn(said, request) : toAnswer(request, said)
  }
  const wanted = { message: 'Delete 312 records. Continue?', fields }
  return elicit('x', wanted, { ask } as never as ToolContext, 1_000, new AbortController().signal, String)
}

test.each([
  ...['yes', 'Yes', '1', 'ok, please!', '👍', 'Ja.', '> is it gone?\nyes'].map((said) => [said, 'accept']),
  ...['no', 'No', '2'].map((said) => [said, 'decline']),
  ...['No!', 'nein, stop', 'wait, what will be deleted?', 'yes, but only the old ones'].map((said) => [said, 'cancel']),
])('a server that wants a yes and hears “%s” is told: %s', async (said, action) => {
  expect((await told([], said)).action).toBe(action)
})

test('an option that was chosen with other words beside it says no more than they do', async () => {
  const answer = ['yes', 'but only the old ones']
  expect(await told([], { kind: 'question', answer })).toEqual({ action: 'cancel' })
  expect(await told([], { kind: 'question', answer: ['yes'] })).toEqual({ action: 'accept', content: {} })
})

const named = (all: string[]) => all.map((value) => ({ value, label: value }))
const where = named(['staging', 'production'])
const field = (kind: FormField['kind'], otherwise: FormField['otherwise'], choices: FormField['choices'] = []) => ({
  ...{ name: 'x', question: 'X', required: false, kind, choices },
  ...(otherwise !== undefined && { otherwise }),
})

test.each<[FormField, unreadable: string, readable: string, value: unknown]>([
  [field('choice', 'production', where), 'none of these, stop', 'Staging', 'staging'],
  [field('choice', 'production', where), '0', '1', 'staging'],
  [field('choices', ['production'], where), 'neither', '1, 2', ['staging', 'production']],
  [field('boolean', true), 'not yet', 'no', false],
  [field('boolean', undefined), 'constructor', 'sure', true],
  [field('number', 312), 'none', '3.5', 3.5],
  [field('integer', undefined), '3.5', '3', 3],
])('an answer that can’t be read isn’t one that was left open: %j', async (only, unreadable, readable, value) => {
  expect(await told([only], unreadable)).toEqual({ action: 'cancel' })
  expect(await told([only], readable)).toEqual({ action: 'accept', content: { x: value } })
  const { otherwise } = only
  const content = otherwise === undefined ? {} : { x: otherwise }
  expect(await told([only], { kind: 'question', answer: '' })).toEqual({ action: 'accept', content })
})

test('what is chosen of several, but with other words beside it, isn’t taken for the whole answer', async () => {
  const [first, second] = [field('choices', undefined, where), { ...field('text', 'none'), name: 'why' }]
  const given = (answer: string[]) => told([first, second], { kind: 'question', answer, also: [''] })
  expect(await given(['choice-0', 'and the one in Oslo'])).toEqual({ action: 'cancel' })
  expect(await given(['Staging', 'production'])).toEqual({
    action: 'accept',
    content: { x: ['staging', 'production'], why: 'none' },
  })
})

test('a server whose question or text comes to nothing here isn’t told what is wrong with us', async () => {
  const away = new Unavailable('database_unreachable', 'Our server at 10.0.0.7 is away.', 'Start it', { passes: true })
  const fails = () => Promise.reject(away)
  const reported: unknown[] = []
  const patience = new Patience(300_000)
  onTestFinished(() => patience.end())
  const { signal } = new AbortController()
  const call = { tool: 't', patience, context: { ask: fails, signal } } as unknown as OpenCall
  const deps = {
    ...{ name: 's', server: { sampling: true }, calls: new Set([call]), limits: { answerMs: 300_000 }, mask: String },
    bot: { write: fails, report: () => (thrown: unknown) => reported.push(thrown) },
  }
  const nothing = () => undefined
  const host = hostOf(deps as never, undefined, nothing, nothing)
  expect(await host.elicit({ message: 'm', fields: [] }, signal)).toEqual({ action: 'cancel' })
  await expect(host.sample?.({ system: '', text: 'a haiku' }, signal)).rejects.toThrow('No model writes this.')
  expect(reported).toEqual([away, away])
})
