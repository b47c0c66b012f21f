import { describe, expect, test } from 'vitest'
import type { ToldEvent } from '../../src/domain/events.ts'
import { asStored, pendingOf, requestOf, saidSince, stateOf } from '../../src/platforms/console/public/thread.js'
import { storedOf } from '../support/client.ts'
import {
  acted,
  answered,
  asked,
  completed,
  history,
  observed,
  posted,
  questioned,
  replied,
  said,
  started,
  streamed,
  threadAfter,
  waiting,
} from './history.ts'

const wholeTurn = history([
  said('msg_1', 'Hello'),
  started(),
  ...streamed('text_1', 'Let me look.'),
  acted('call_1', 'read_file', { path: 'a.md' }),
  observed('call_1', 'read_file'),
  ...streamed('text_2', 'Here is the answer.'),
  completed('Here is the answer.'),
  posted('msg_2', 'Here is the answer.'),
])

const failed: ReturnType<typeof said> = [
  'error',
  { turn_id: 'turn_1', code: 'model', message: 'No model.', remedy: 'Set one.' },
]

const kinds = (parts: { kind: string }[]) => parts.map(({ kind }) => kind)

describe('a turn', () => {
  test('shows the text between calls, the calls, and the answer once', () => {
    const { items } = threadAfter(wholeTurn)

    expect(items.map(({ key }) => key)).toEqual(['msg_1', 'turn_1'])
    expect(kinds(items[1].parts)).toEqual(['text', 'call', 'answer'])
    expect(items[1].parts[1]).toMatchObject({ status: 'done', durationMs: 12, input: { path: 'a.md' } })
    expect(items[1].parts[2]).toMatchObject({ text: 'Here is the answer.', messageId: 'msg_2' })
    expect(items[1].state).toBe('done')
  })

  test('shows its draft while it runs', () => {
    const { items } = threadAfter(wholeTurn.slice(0, 4))

    expect(items[1].parts).toMatchObject([{ kind: 'text', text: 'Let ', open: true }])
  })

  test('shows its answer between complete and the posted message', () => {
    const { items } = threadAfter(wholeTurn.slice(0, -1))

    expect(kinds(items[1].parts)).toEqual(['text', 'call', 'answer'])
  })

  test('replaces a draft with the posted text, even if they differ', () => {
    const { items } = threadAfter(
      history([
        started(),
        ...streamed('text_1', 'the draft'),
        completed('The answer, corrected.'),
        posted('msg_1', 'The answer, corrected.'),
      ]),
    )

    expect(kinds(items[0].parts)).toEqual(['answer'])
  })

  test('keeps every one of its posts, such as a file that came later', () => {
    const { items } = threadAfter([...wholeTurn, ...history([posted('msg_3', 'One more file.')], 100)])

    expect(items[1].parts.filter(({ kind }: { kind: string }) => kind === 'answer')).toHaveLength(2)
  })

  test('drops discarded text, and a draft that broke off with the process', () => {
    const { items } = threadAfter(
      history([
        started(),
        ['text_start', { turn_id: 'turn_1', text_id: 'text_1' }],
        ['text_delta', { turn_id: 'turn_1', text_id: 'text_1', delta: 'wrong' }],
        ['text_end', { turn_id: 'turn_1', text_id: 'text_1', text: 'wrong', discarded: true }],
        ['text_start', { turn_id: 'turn_1', text_id: 'text_2' }],
        ['text_delta', { turn_id: 'turn_1', text_id: 'text_2', delta: 'cut' }],
        ['text_start', { turn_id: 'turn_1', text_id: 'text_3' }],
        ['text_delta', { turn_id: 'turn_1', text_id: 'text_3', delta: 'right' }],
      ]),
    )

    expect(items[0].parts).toMatchObject([{ kind: 'text', text: 'right' }])
  })

  test('keeps its text when stopped, and is over', () => {
    const thread = threadAfter(
      history([
        started(),
        ['text_start', { turn_id: 'turn_1', text_id: 'text_1' }],
        ['text_delta', { turn_id: 'turn_1', text_id: 'text_1', delta: 'As far as' }],
        ['text_end', { turn_id: 'turn_1', text_id: 'text_1', text: 'As far as' }],
        acted('call_1', 'read_file'),
        ['stopped', { turn_id: 'turn_1', person: { id: 'ben', name: 'Ben' } }],
      ]),
    )

    expect(stateOf(thread)).toBe('idle')
    expect(thread.items[0]).toMatchObject({ state: 'stopped', stoppedBy: { name: 'Ben' } })
    expect(thread.items[0].parts[0]).toMatchObject({ text: 'As far as', open: false })
  })

  test('continues in place when it is resumed after a failure', () => {
    const thread = threadAfter(history([started(), acted('call_1', 'now'), failed, started()]))

    expect(thread.items).toHaveLength(1)
    expect(thread.items[0]).toMatchObject({ state: 'running', error: undefined })
  })

  test('continues below newer messages when it is resumed after them, with its calls in place', () => {
    const { items } = threadAfter(
      history([
        started(),
        acted('call_1', 'now'),
        failed,
        said('msg_1', 'What now?'),
        started(),
        observed('call_1', 'now'),
        completed('Done.'),
      ]),
    )

    expect(items.map(({ kind }) => kind)).toEqual(['turn', 'message', 'turn'])
    expect(items[0].parts).toMatchObject([{ kind: 'call', status: 'done' }])
    expect(items[2].parts).toMatchObject([{ kind: 'answer', text: 'Done.' }])
    expect(new Set(items.map(({ key }) => key)).size).toBe(3)
  })
})

describe('a thread', () => {
  test('does not change when events come twice', () => {
    const stored = storedOf(wholeTurn)
    const once = threadAfter(wholeTurn)

    expect(threadAfter(stored, once)).toBe(once)
    expect(threadAfter(stored.flatMap((event) => [event, event]))).toEqual(once)
    expect(threadAfter([...wholeTurn.slice(0, 6), ...stored])).toEqual(once)
  })

  test('drops an unfinished draft once its turn or its connection is over', () => {
    const [, , begun, ...rest] = wholeTurn.filter(({ type }) => type !== 'text_end')
    const drawn = threadAfter([...wholeTurn.slice(0, 2), begun as ToldEvent, rest[0] as ToldEvent])

    expect(drawn.items[1].parts).toMatchObject([{ kind: 'text', open: true }])
    expect(asStored(drawn).items[1].parts).toEqual([])
    expect(threadAfter(history([completed('')], 100), drawn).items[1].parts).toEqual([])
  })

  test('does not modify its earlier state', () => {
    const before = threadAfter(wholeTurn.slice(0, 5))
    const copy = structuredClone(before)
    threadAfter(wholeTurn, before)

    expect(before).toEqual(copy)
  })

  test('keeps turns and messages in their order', () => {
    const { items } = threadAfter([
      ...wholeTurn,
      ...history([said('msg_3', 'And?'), started('turn_2'), completed('More.', 'turn_2')], 100),
    ])

    expect(items.map(({ key }) => key)).toEqual(['msg_1', 'turn_1', 'msg_3', 'turn_2'])
  })

  test('shows a message that joined a running turn at its place in the turn', () => {
    const { items } = threadAfter(
      history([started(), acted('call_1', 'now'), said('msg_1', 'Wait'), acted('call_2', 'now')]),
    )

    expect(kinds(items[0].parts)).toEqual(['call', 'said', 'call'])
  })

  test('can be drawn from any point of its history', () => {
    for (let start = 0; start < wholeTurn.length; start += 1) {
      const { items } = threadAfter(wholeTurn.slice(start))
      expect(items.at(-1).parts.at(-1)).toMatchObject({ kind: 'answer', text: 'Here is the answer.' })
      expect(items.at(-1).parts.filter(({ kind }: { kind: string }) => kind === 'answer')).toHaveLength(1)
    }
  })

  test('ignores unknown events', () => {
    const [unknown] = history([started()], 500)
    // A newer bot may send types that this page doesn't know.
    const strange = { ...unknown, type: 'constructor', data: {} } as unknown as typeof unknown
    const thread = threadAfter([...wholeTurn, strange as (typeof wholeTurn)[number]])

    expect(thread.items).toEqual(threadAfter(wholeTurn).items)
    expect(thread.lastSequence).toBe(500)
  })

  test('knows the latest plan', () => {
    const todos = [{ content: 'Read', status: 'completed' }, 'not a todo']
    const thread = threadAfter(history([started(), acted('call_1', 'todo_write', { todos })]))

    expect(thread.todos).toEqual([{ content: 'Read', status: 'completed' }])
  })

  test('shows an alarm and a warning outside of any turn', () => {
    const { items } = threadAfter(
      history([
        ['message', { message_id: 'msg_1', role: 'alarm', text: 'Tea', files: [], alarm_id: 'alarm_1' }],
        ['warning', { code: 'disk', message: 'The disk is nearly full.' }],
      ]),
    )

    expect(items).toMatchObject([
      { kind: 'message', message: { role: 'alarm' } },
      { kind: 'notice', message: 'The disk is nearly full.' },
    ])
  })
})

describe('what waits for a person', () => {
  const both = history([started(), asked('req_1', 'call_1'), questioned('req_2', 'call_2'), waiting('req_1', 'req_2')])

  test('is pending until each is answered, and then the turn runs on', () => {
    const first = threadAfter(history([replied('req_1', 'call_1', 'deny')], 10), threadAfter(both))
    const second = threadAfter(history([answered('req_2', 'call_2')], 11), first)

    expect(pendingOf(threadAfter(both))).toHaveLength(2)
    expect([stateOf(first), pendingOf(first).map(({ requestId }) => requestId)]).toEqual(['waiting', ['req_2']])
    expect([stateOf(second), pendingOf(second)]).toEqual(['running', []])
    expect(requestOf(second, 'req_1')).toMatchObject({ outcome: { decision: 'deny', person: { name: 'Ana' } } })
  })

  test('is not pending once the turn was stopped', () => {
    const thread = threadAfter(history([['stopped', { turn_id: 'turn_1' }]], 10), threadAfter(both))

    expect([stateOf(thread), pendingOf(thread)]).toEqual(['idle', []])
  })

  test('shows a denial without a request, and an answer whose question is on an older page', () => {
    const { items } = threadAfter(
      history([replied('req_1', 'call_1', 'deny'), observed('call_1', 'edit_file', 'denied')], 40),
    )

    expect(items[0].parts).toMatchObject([
      { kind: 'request', requestId: 'req_1', outcome: { decision: 'deny' } },
      { kind: 'call', status: 'denied' },
    ])
  })
})

describe('going back', () => {
  const ana = { id: 'ana', name: 'Ana' }
  const undone = (message_id: 'msg_1' | 'msg_3' | 'msg_4'): ReturnType<typeof said> => [
    'undone',
    { message_id, person: ana },
  ]

  test('folds the message and what came after it, and a turn knows which message it answers', () => {
    const { items } = threadAfter(
      history([said('msg_1', 'Hello'), started(), completed('Yes.'), undone('msg_1'), said('msg_3', 'Hi')]),
    )

    expect(items.map(({ kind }) => kind)).toEqual(['undone', 'message'])
    expect(items[0].items.map(({ kind }: { kind: string }) => kind)).toEqual(['message', 'turn'])
    expect(items[0].items[1].opening).toBe(1)
  })

  test('to a message said during a turn keeps what the turn did before it', () => {
    const { items } = threadAfter(
      history([
        said('msg_1', 'Hello'),
        started(),
        acted('call_1', 'now'),
        said('msg_3', 'And?'),
        completed('Yes.'),
        undone('msg_3'),
      ]),
    )

    expect(items.map(({ kind }) => kind)).toEqual(['message', 'turn', 'undone'])
    expect(kinds(items[1].parts)).toEqual(['call'])
    expect(kinds(items[2].items[0].parts)).toEqual(['said', 'answer'])
  })

  test('before an answer is posted leaves it in its turn', () => {
    const { items } = threadAfter(
      history([
        said('msg_1', 'Hello'),
        started(),
        said('msg_3', 'And?'),
        completed('Yes.'),
        undone('msg_3'),
        undone('msg_1'),
        posted('msg_2', 'Yes.'),
        said('msg_4', 'Hi'),
      ]),
    )

    expect(items.map(({ kind }) => kind)).toEqual(['undone', 'message'])
    const [, before, folded] = items[0].items
    expect(kinds(before.parts)).toEqual([])
    expect(folded.items[0].parts).toMatchObject([{ kind: 'said' }, { kind: 'answer', messageId: 'msg_2' }])
  })

  test('past what people have said since the message, in its turn and in later ones', () => {
    const thread = threadAfter(
      history([
        said('msg_1', 'Hello'),
        started(),
        said('msg_2', 'And?'),
        completed('Yes.'),
        posted('msg_3', 'Yes.'),
        said('msg_4', 'A slip'),
        undone('msg_4'),
        said('msg_5', 'Gone'),
        ['changed', { message_id: 'msg_5', text: null, person: ana }],
        said('msg_6', 'More'),
        started('turn_2'),
        completed('More.', 'turn_2'),
      ]),
    )
    const textsSince = (number: number) => saidSince(thread, number).map(({ text }) => text)

    expect(textsSince(1)).toEqual(['And?', 'More'])
    expect(textsSince(thread.items.findLast(({ kind }) => kind === 'turn')?.opening ?? 0)).toEqual([])
  })

  test('to a message that is not on this page folds all that is', () => {
    const { items } = threadAfter(history([started(), completed('Yes.'), undone('msg_3')], 40))

    expect(items.map(({ kind }) => kind)).toEqual(['undone'])
  })
})

test('attempts at one request are one line, the latest', () => {
  const retried = (message: string): ReturnType<typeof said> => [
    'warning',
    { turn_id: 'turn_1', code: 'unavailable', message },
  ]
  const { items } = threadAfter(history([started(), retried('attempt 2'), retried('attempt 3')]))

  expect(items[0].parts).toMatchObject([{ kind: 'warning', message: 'attempt 3' }])
})
