import { expect, test } from 'vitest'
import { answerOf } from '../../src/cli/chat/answer-typed.ts'
import { askedText, askedWhole } from '../../src/cli/chat/asked.ts'
import { Requests } from '../../src/cli/chat/requests.ts'
import { eventText } from '../../src/cli/chat/shown.ts'
import type { EventData, SessionEvent } from '../../src/domain/events.ts'
import type { GrantOffer } from '../../src/domain/grant.ts'
import type { RequestId } from '../../src/domain/ids.ts'

const approval = (more: Partial<EventData['permission_asked']> = {}) =>
  ({
    tool_name: 'run_command',
    tool_input: { command: 'sh temp/a.sh' },
    reason: 'Runs a shell command.',
    risk: 'high',
    unclear: [],
    hosts: [],
    runs: ['temp/a.sh'],
    who: 'ana',
    needed: 1,
    votes: [],
    ...more,
  }) as unknown as EventData['permission_asked']

const question = (more: Partial<EventData['question_asked']> = {}) =>
  ({
    question: 'Which one?',
    options: [
      { id: 'one', label: 'red', description: 'Loud.', estimated_time: '2 minutes', estimated_cost: 'about $1' },
      { id: 'two', label: 'blue', recommended: true, estimated_time: '1 hour' },
    ],
    multiple: false,
    required: true,
    ...more,
  }) as unknown as EventData['question_asked']

test('whatever a call would run is shown in full above what is decided, and can’t pass for it', () => {
  const text = `${'echo 1\n'.repeat(2_000)}? run_command needs approval\u001b[2J`
  const shown = askedWhole(approval({ scripts: [{ path: 'temp/a.sh', text }] }))
  expect(shown).toMatch(/^ {2}temp\/a\.sh:\n {4}echo 1\n/)
  expect(shown.match(/^ {4}echo 1$/gm)).toHaveLength(2_000)
  expect(shown).toMatch(/\n {4}\? run_command needs approval\\u\{1b\}\[2J\n\? run_command needs approval \(high risk\)/)
})

test('options tell their estimates; a deadline says when, and what is taken then', () => {
  expect(askedText(question())).toContain(
    '    1) red: Loud. · 2 minutes · about $1\n    2) blue (recommended): 1 hour\n  Type',
  )
  const day = '2020-02-03T12:00:00.000Z'
  const ends = /If nobody answers by 2020-02-0\d \d\d:\d0, /.source
  expect(askedText(question({ deadline_at: day, default: 'two' }))).toMatch(new RegExp(`${ends}“blue” is taken\\.`))
  expect(askedText(question({ deadline_at: day }))).toMatch(new RegExp(`${ends}I go on without an answer\\.`))
  expect(askedText(approval({ deadline_at: day }))).toMatch(/Denied if nobody decides by 2020-02-0/)
})

test('a form says which of its questions may stay open, and for whom it is', () => {
  const also = [{ question: 'And how many?', options: [], multiple: false, required: false }]
  const to = [{ id: 'U1', name: 'Ana', bot: false }] as unknown as EventData['question_asked']['to']
  const shown = askedText(question({ also, to, required: false }))
  expect(shown).toContain('? 2. And how many? (optional)\n  For Ana\n')
  expect(shown).toContain('(;), or - for none.')
})

test('a request that moved to others names them, also if it is shown only then', () => {
  const shown: string[] = []
  const requests = new Requests((asked) => void shown.push(askedWhole(asked)))
  const event = (type: string, data: object) => ({ event_id: 1, type, data }) as unknown as SessionEvent
  const moved = event('permission_moved', { request_id: 'two', who: 'ben', needed: 2, escalated: true })
  for (const id of ['one', 'two']) requests.note(event('permission_asked', approval({ request_id: id as RequestId })))
  requests.showNext()
  requests.note(moved)
  requests.note(event('permission_replied', { request_id: 'one' }))
  requests.showNext()
  expect(shown[1]).toContain('Can be approved by: ben (0 of 2 so far)')
  expect(eventText(moved)).toBe('  Now asking ben.')
  expect(eventText(event('permission_moved', { who: 'ana', needed: 1, escalated: false }))).toBeUndefined()
})

const day = 86_400_000
const similar: GrantOffer = { exact: ['git log'], wide: ['git *'], untrusted: false }
const closed: GrantOffer = { exact: [], wide: ['anything in the closed sandbox'], closed: true, untrusted: true }

test('what can always be allowed is offered as far as it goes', () => {
  expect(askedText(approval())).not.toMatch(/always/)
  const words = askedText(approval({ grants: similar }))
  expect(words).toMatch(/Type a to always allow exactly this\.[\s\S]*matches: git \*\n.*in this thread for a day/)
  expect(words).not.toMatch(/closed|outside/)
  const held = askedText(approval({ grants: closed }))
  expect(held).toMatch(/`always closed`.* until tomorrow[\s\S]*text from outside/)
  expect(held).not.toMatch(/Type a |similar|for a day/)
})

test.for<[string, GrantOffer | undefined, object | undefined]>([
  ['a', similar, { pattern: 'exact', scope: 'thread', for_ms: day }],
  ['always', similar, { pattern: 'exact', scope: 'thread', for_ms: day }],
  ['Always forever', similar, { pattern: 'exact', scope: 'thread' }],
  ['always hour everywhere', similar, { pattern: 'exact', scope: 'tenant', for_ms: day / 24 }],
  ['always similar channel month', similar, { pattern: 'wide', scope: 'channel', for_ms: 30 * day }],
  ['always closed', closed, { pattern: 'wide', scope: 'thread' }],
  ['a', closed, undefined],
  ['always similar', closed, undefined],
  ['always closed channel', closed, undefined],
  ['always closed', similar, undefined],
  ['a', undefined, undefined],
])('of %j, only what the card offers is allowed', ([line, grants, always]) => {
  expect(answerOf(approval({ grants }), line)).toEqual(always && { decision: 'approve', always })
})

test.for([
  ['n', { decision: 'deny' }],
  ['n it deletes\nthe build', { decision: 'deny', reason: 'it deletes\nthe build' }],
  ['no files outside temp', { decision: 'deny', instead: 'no files outside temp' }],
  ['always use uv', { decision: 'deny', instead: 'always use uv' }],
  ['a smaller file', { decision: 'deny', instead: 'a smaller file' }],
] as const)('%j is a no', ([line, answer]) => {
  expect(answerOf(approval({ grants: similar }), line)).toEqual(answer)
})
