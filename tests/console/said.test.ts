import { describe, expect, test } from 'vitest'
import { Warning } from '../../src/platforms/console/public/components/warning.js'
import { stateOf } from '../../src/platforms/console/public/thread.js'
import { acted, completed, history, posted, said, started, streamed, threadAfter } from './history.ts'

const ana = { id: 'ana', name: 'Ana' }
const ben = { id: 'ben', name: 'Ben' }
const turn_id = 'turn_1'

const kinds = (parts: { kind: string }[]) => parts.map(({ kind }) => kind)

describe('a message that was edited or deleted', () => {
  const edited = ['changed', { message_id: 'msg_1', text: 'Goodbye', person: ana }] as const
  const deleted = ['changed', { message_id: 'msg_1', text: null, person: ana }] as const

  test('shows its new text, in the thread and in a turn', () => {
    const before = threadAfter(history([said('msg_1', 'Hello'), started(), edited as never]))
    expect(before.items[0]).toMatchObject({ message: { text: 'Goodbye', changed: 'edited', person: ana } })
    const within = threadAfter(history([started(), said('msg_1', 'Hello'), acted('call_1', 'now'), edited as never]))
    expect(kinds(within.items[0].parts)).toEqual(['said', 'call'])
    expect(within.items[0].parts[0]).toMatchObject({ message: { text: 'Goodbye', changed: 'edited' } })
  })

  test('has neither text nor files once it is deleted', () => {
    const { items } = threadAfter(history([said('msg_1', 'Hello'), edited as never, deleted as never]))
    expect(items).toMatchObject([{ message: { text: '', files: [], changed: 'deleted' } }])
  })

  test('is ignored when it is on an older page', () => {
    expect(threadAfter(history([started(), edited as never])).items).toEqual(threadAfter(history([started()])).items)
  })

  test('does not modify the earlier state', () => {
    const before = threadAfter(history([started(), said('msg_1', 'Hello')]))
    const copy = structuredClone(before)
    threadAfter(history([deleted as never], 10), before)
    expect(before).toEqual(copy)
  })
})

describe('a turn with several answers', () => {
  const both = history([
    started(),
    ...streamed('text_1', 'First.'),
    said('msg_1', 'And?'),
    ['said', { turn_id, message_id: 'msg_2' }],
    acted('call_1', 'now'),
    posted('msg_2', 'First.'),
    ...streamed('text_2', 'Second.'),
    completed('Second.'),
    posted('msg_3', 'Second.'),
  ])

  test('shows each once and in its place, however late it was posted', () => {
    const { items } = threadAfter(both)
    expect(items).toHaveLength(1)
    expect(items[0].parts).toMatchObject([
      { kind: 'answer', text: 'First.', messageId: 'msg_2' },
      { kind: 'said' },
      { kind: 'call' },
      { kind: 'answer', text: 'Second.', messageId: 'msg_3' },
    ])
  })

  test('shows two identical answers', () => {
    const same = history([
      started(),
      ...streamed('text_1', 'Done.'),
      ['said', { turn_id, message_id: 'msg_2' }],
      posted('msg_2', 'Done.'),
      ...streamed('text_2', 'Done.'),
      completed('Done.'),
      posted('msg_3', 'Done.'),
    ])
    for (const until of [same.length - 1, same.length]) {
      expect(kinds(threadAfter(same.slice(0, until)).items[0].parts)).toEqual(['answer', 'answer'])
    }
  })

  test('can be drawn from any point of its history, with each answer at most once', () => {
    for (let start = 0; start < both.length; start += 1) {
      const parts = threadAfter(both.slice(start)).items.at(-1).parts
      const texts = parts.flatMap((part: { kind: string; text: string }) => (part.kind === 'answer' ? [part.text] : []))
      expect(texts.at(-1)).toBe('Second.')
      expect(new Set(texts).size).toBe(texts.length)
    }
  })

  test('keeps the files that were posted with an answer', () => {
    const file = { name: 'a.txt', path: 'outputs/a.txt', type: 'text/plain', size: 1 }
    const message = { message_id: 'msg_2', role: 'assistant', text: 'First.', files: [file], turn_id } as const
    const { items } = threadAfter(
      history([
        started(),
        ...streamed('text_1', 'First.'),
        ['said', { turn_id, message_id: 'msg_2' }],
        ['message', { ...message, files: [file] }],
      ]),
    )
    expect(items[0].parts).toMatchObject([{ kind: 'answer', files: [file] }])
  })
})

describe('a command’s reply', () => {
  const answer = (text: string) => ['message', { message_id: 'msg_9', role: 'assistant', text, files: [] }] as const

  test('appears below it', () => {
    const { items } = threadAfter(history([said('msg_1', '/help'), answer('These words.') as never]))
    expect(items).toMatchObject([
      { kind: 'message' },
      { kind: 'message', message: { role: 'assistant', text: 'These words.' } },
    ])
  })

  test('appears in the running turn, which continues below', () => {
    const thread = threadAfter(
      history([
        started(),
        acted('call_1', 'now'),
        said('msg_1', '/files'),
        answer('None.') as never,
        ...streamed('text_1', 'So.'),
      ]),
    )
    expect(thread.items).toHaveLength(1)
    expect(kinds(thread.items[0].parts)).toEqual(['call', 'said', 'said', 'text'])
    expect(stateOf(thread)).toBe('running')
  })
})

describe('lines of a thread', () => {
  test('a reset separates the cleared history from what follows, and clears the plan', () => {
    const todos = [{ content: 'Read', status: 'pending' }]
    const thread = threadAfter(
      history([
        started(),
        acted('call_1', 'todo_write', { todos }),
        completed('Yes.'),
        ['reset', { person: ben }],
        said('msg_1', 'Hi'),
      ]),
    )
    expect(thread.items.map(({ kind }) => kind)).toEqual(['turn', 'reset', 'message'])
    expect(thread.items[1]).toMatchObject({ person: { name: 'Ben' } })
    expect(thread.todos).toEqual([])
  })

  test('the number of earlier messages read, if any', () => {
    const { items } = threadAfter(history([started(), ['imported', { turn_id, messages: 12 }], acted('call_1', 'now')]))
    expect(items[0].parts[0]).toMatchObject({ kind: 'imported', messages: 12 })
    expect(threadAfter(history([started(), ['imported', { turn_id, messages: 0 }]])).items[0].parts).toEqual([])
  })

  test('a warning keeps its code, inside a turn or outside', () => {
    const warning = { code: 'not_posted', message: 'It is gone.' }
    const inTurn = threadAfter(history([started(), completed('Yes.'), ['warning', { ...warning, turn_id }]]))
    expect(inTurn.items[0].parts.at(-1)).toMatchObject({ kind: 'warning', ...warning })
    expect(threadAfter(history([['warning', warning]])).items).toMatchObject([{ kind: 'notice', ...warning }])
  })
})

describe('feedback', () => {
  const judged = (message_id: string, value: 'good' | 'bad', person = ana) =>
    ['feedback', { message_id, value, person }] as const
  const answered = history([started(), completed('Yes.'), posted('msg_2', 'Yes.')])

  test('marks the answer, counting each person’s latest', () => {
    const events = [judged('msg_2', 'good'), judged('msg_2', 'bad', ben), judged('msg_2', 'bad')]
    const { items } = threadAfter(history(events as never, 10), threadAfter(answered))
    expect(items).toHaveLength(1)
    expect(items[0].parts[0].feedback).toEqual({
      ana: { value: 'bad', name: 'Ana' },
      ben: { value: 'bad', name: 'Ben' },
    })
  })

  test('stands alone when its answer isn’t loaded, and the turn continues', () => {
    const thread = threadAfter(
      history([started(), judged('1700.1', 'good') as never, said('msg_1', 'Wait'), acted('call_1', 'now')]),
    )
    expect(thread.items.map(({ kind }) => kind)).toEqual(['turn', 'feedback'])
    expect(kinds(thread.items[0].parts)).toEqual(['said', 'call'])
  })
})

test('a warning that people in the thread can’t see stands out', () => {
  const shownAs = (code: string) => Warning({ code, message: 'The thread is gone.' }).props.class

  expect(shownAs('thread_deleted')).toBe('failure warned')
  expect(shownAs('retrying')).toBe('quiet warning')
})
