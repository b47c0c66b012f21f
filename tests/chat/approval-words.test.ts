import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Request } from '../../src/domain/request.ts'
import {
  bothEnds,
  cutWords,
  exactReach,
  factsOf,
  inputWords,
  thenWords,
  wideReach,
} from '../../src/platforms/words/approval-words.ts'
import { outcomeOf, replyTo } from '../../src/platforms/words/card-words.ts'
import { approval, question } from '../discord/requests.ts'

const nameOf = ({ name }: { name: string }) => name

describe('what a grant lets through', () => {
  test.each([
    [{}, 'same tool and arguments.'],
    [{ binding: 'abc' }, 'same tool, arguments and directory.'],
    [{ binding: 'abc', runs: ['a.sh'] }, 'same tool, arguments, directory and contents of the scripts that it runs.'],
  ])('is exactly this call: %j', (payload, words) => {
    expect(exactReach(approval(payload).payload)).toBe(`This call and no other: ${words}`)
  })

  test('is what fits, where it is wide, bound to what it runs', () => {
    const { payload } = approval({ binding: 'abc', runs: ['a.sh'] })
    expect(wideReach(payload)).toContain(
      'Only in the same directory, and with the scripts that it runs as they are now.',
    )
    expect(wideReach(approval().payload)).not.toContain('Only')
  })
})

test('the files that it writes are among the facts', () => {
  const facts = factsOf(approval({ writes: ['Makefile'] }).payload)
  expect(facts).toEqual([{ name: 'Writes to', all: ['Makefile'], isCode: true }])
})

describe('an input', () => {
  test('is written on many lines, unless only these are too long for a card', () => {
    expect(inputWords(approval({ input: { a: 1 } }).payload)).toBe('{\n  "a": 1\n}')
    const deep = Array.from({ length: 150 }, () => [[1]])
    expect(inputWords(approval({ input: deep }).payload)).toBe(JSON.stringify(deep))
  })

  test('that was posted whole is said to stand above, and another is not', () => {
    expect(cutWords(approval({ input: 'x'.repeat(1_499) }).payload)).toBe('All of it is above.')
    expect(cutWords(approval({ input: 'x'.repeat(1_498) }).payload)).toBe(
      'Not all of it fits here: the console shows it.',
    )
  })

  test('that is cut shows both ends, and how much is missing', () => {
    const any = fc.string({ unit: 'binary', minLength: 200, maxLength: 3_000 })
    fc.assert(
      fc.property(any, fc.integer({ min: 60, max: 190 }), (text, most) => {
        const shown = bothEnds(text, most)
        const [, head = '', missing = '', tail = ''] = /^(.*)\n… ([\d,]+) more characters …\n(.*)$/s.exec(shown) ?? []
        expect(text.startsWith(head) && text.endsWith(tail)).toBe(true)
        expect(head.length + Number(missing.replaceAll(',', '')) + tail.length).toBe(text.length)
        expect(shown.length).toBeLessThanOrEqual(most + 40)
      }),
    )
  })
})

test('facts are those that there are, on a line each, with nothing hidden', () => {
  const { payload } = approval({ unclear: ['a\n\u200bb'], runs: ['a.sh'], scripts: [{ path: 'a.sh', text: 'ls' }] })
  expect(factsOf(payload)).toEqual([
    { name: 'Unclear', all: ['a \\u{200b}b'], isCode: false },
    { name: 'Runs (shown above)', all: ['a.sh'], isCode: true },
  ])
  expect(factsOf({ ...payload, scripts: [] }).map(({ name }) => name)).toEqual(['Unclear', 'Runs'])
})

describe('what happens without an answer', () => {
  test.each<[Request, string]>([
    [approval(), 'it counts as a no'],
    [question(), 'it goes on without an answer'],
    [question({ default: 'blue' }), '“Blue” is taken'],
    [question({ default: 'green' }), '“green” is taken'],
  ])('is said (%#)', (request, words) => {
    expect(thenWords(request)).toBe(words)
  })
})

describe('what became of a request', () => {
  const ana = { id: 'U1', name: 'Ana' }
  const ended = (request: Request, more: object): Request =>
    ({ ...request, state: 'answered', answeredBy: ana, answeredAt: 1, ...more }) as Request

  test('names all who approved, once; of a denial, who denied', () => {
    const votes = [{ id: 'U2', name: 'Ben' }, ana].map((person) => ({ person, at: 1 }))
    const names = (request: Request) => outcomeOf(request)?.by.map(nameOf)
    expect(names(ended(approval(), { votes, answer: { decision: 'approve' } }))).toEqual(['Ben', 'Ana'])
    expect(names(ended(approval(), { votes, answer: { decision: 'deny' } }))).toEqual(['Ana'])
    expect(names(ended(approval(), { votes, answer: { decision: 'deny', by: 'deadline' } }))).toEqual([])
  })

  test('has each answer of a form beside its question', () => {
    const also = [{ question: 'And why?', options: [], multiple: false, required: false }]
    const answer = { text: 'Red', option_ids: ['red'], by: 'person', also: [{ text: '', option_ids: [] }] }
    expect(outcomeOf(ended(question({ also }), { answer }))?.said).toEqual([
      { label: 'Which colour?', text: 'Red' },
      { label: 'And why?', text: '' },
    ])
  })

  test.each<[Request, string]>([
    [ended(approval(), { answer: { decision: 'approve' } }), 'approved once by Ana'],
    [
      ended(approval(), { answer: { decision: 'deny', by: 'deadline' }, answeredBy: undefined }),
      'denied because nobody decided in time',
    ],
    [ended(approval(), { state: 'cancelled', answeredBy: undefined }), 'no longer needed'],
    [ended(question(), { answer: { text: '', option_ids: [], by: 'person', declined: true } }), 'skipped by Ana'],
  ])('is told to who comes too late (%#)', (request, words) => {
    const text = `Too late, this has been settled: ${words}.`
    expect(replyTo({ kind: 'too-late', request }, nameOf)).toEqual({ refused: true, text })
  })
})
