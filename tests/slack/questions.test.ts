import { describe, expect, test } from 'vitest'
import { deal, decided, options, question, whispers } from './requests.ts'
import { openBench } from './support.ts'

describe('a question', () => {
  test('of few options is answered by a button', async () => {
    await using bench = await openBench()
    const { server, sink } = bench
    const request = question(
      [
        { id: 'a', label: 'Fast', description: 'skips the tests', estimated_time: '2 minutes', estimated_cost: '$1' },
        { id: 'b', label: 'Safe', recommended: true },
      ],
      { context: 'There are two ways.', required: false, default: 'b' },
    )
    sink.onAnswer = async () => ({ kind: 'taken', request })
    const { card } = await deal(bench, { ...request, deadlineAt: Date.now() + 60_000 })
    const { text } = server.message(card)
    expect(text).toContain('Which one?\nThere are two ways.')
    expect(text).toContain('Fast · skips the tests · 2 minutes · $1')
    expect(text).toContain('“Safe” is taken')
    expect(text).toContain('[Fast] [Safe] [Something else…] [Skip]')
    await server.people.click('ana', card, 'Fast')
    await server.people.click('ben', card, 'Skip')
    expect(sink.answers.map(({ given }) => given)).toEqual([{ kind: 'question', answer: 'a' }, { kind: 'declined' }])
    expect(server.violations).toEqual([])
  })

  test('of many options is answered from a menu', async () => {
    await using bench = await openBench()
    const { server, sink } = bench
    const request = question(options(120))
    sink.onAnswer = async () => ({ kind: 'taken', request })
    const { card } = await deal(bench, request)
    await server.people.click('ana', card, 'select', { value: 'o7' })
    expect(sink.answers).toMatchObject([{ id: 'req_1', given: { kind: 'question', answer: 'o7' } }])
    expect(server.violations).toEqual([])
  })

  const fast = { id: 'a', label: 'Fast', description: 'skips the tests' }
  const safe = { id: 'b', label: 'Safe', estimated_cost: '$40', recommended: true }
  const long = 'skips the tests '.repeat(5).trim()
  test.each([
    ['a menu', [fast, safe, ...options(4)], {}, '• Fast · skips the tests\n• Safe · recommended · $40\n• Option 0\n'],
    ['a menu of labels', options(6), {}, undefined],
    ['a long menu', options(80).map((one) => ({ ...one, label: `acme-production-eu-${one.id}/api` })), {}, '• acme-'],
    ['boxes', [fast, safe], { multiple: true }, undefined],
    ['boxes with long notes', [{ ...fast, description: long }, safe], { multiple: true }, `• Fast · ${long}\n• Safe`],
  ])('lists its options if %s would hide what they mean', async (_, all, more, list) => {
    await using bench = await openBench()
    const { card } = await deal(bench, question(all, more))
    expect(bench.server.message(card).text).toEqual(
      list === undefined ? expect.not.stringContaining('• ') : expect.stringContaining(list),
    )
    expect(bench.server.violations).toEqual([])
  })

  test.each([4, 30])('with several answers out of %i is sent with a button', async (count) => {
    await using bench = await openBench()
    const { server, sink } = bench
    const request = question(options(count), { multiple: true })
    sink.onAnswer = async () => ({ kind: 'taken', request })
    const { card, ts } = await deal(bench, request)
    await server.people.click('ana', card, 'Send')
    await server.until(() => whispers(bench, 'ana', ts).includes('Choose something first.'))
    await server.people.click('ana', card, 'tick', { value: ['o0', 'o2'] })
    expect(sink.answers).toEqual([])
    await server.people.click('ana', card, 'Send')
    expect(sink.answers).toMatchObject([{ id: 'req_1', given: { kind: 'question', answer: ['o0', 'o2'] } }])
    expect(server.violations).toEqual([])
  })

  test('takes other words from a form, and no empty ones', async () => {
    await using bench = await openBench()
    const { server, sink } = bench
    const request = question(options(2))
    sink.onAnswer = async () => ({ kind: 'taken', request })
    const { card } = await deal(bench, request)
    await server.people.click('ana', card, 'Something else…')
    const modal = await server.until(() => server.people.modal('ana'))
    expect(await server.people.submit('ana', modal.id, { words: '   ' })).toMatchObject({
      closed: false,
      errors: { words: 'Write something.' },
    })
    await server.people.submit('ana', modal.id, { words: 'Neither <@U1> & co.' })
    expect(sink.answers).toMatchObject([{ given: { kind: 'question', answer: 'Neither <@U1> & co.' } }])
    expect(server.violations).toEqual([])
  })

  test('that was decided opens no form', async () => {
    await using bench = await openBench()
    const { server, sink } = bench
    const request = question(options(2))
    const { card, ts } = await deal(bench, request)
    const answer = { text: 'Option 1', option_ids: ['o1'], by: 'person' }
    sink.requests.set(request.id, decided(request, { answer }))
    await server.people.click('ben', card, 'Something else…')
    await server.until(() => whispers(bench, 'ben', ts).length > 0)
    expect(whispers(bench, 'ben', ts)).toEqual(['Too late, this has been settled: answered by Ana.'])
    expect(server.people.modal('ben')).toBeUndefined()
  })

  test.each([
    [{ state: 'cancelled', answeredBy: undefined }, '○ No longer needed'],
    [
      { answer: { text: 'Option 1', option_ids: ['o1'], by: 'deadline' }, answeredBy: undefined },
      '○ Nobody answered in time',
    ],
    [{ answer: { text: '', option_ids: [], by: 'person', declined: true } }, '○ Skipped by Ana'],
    [{ answer: { text: 'Option 1', option_ids: ['o1'], by: 'person' } }, '✓ Answered by Ana'],
  ])('shows how it ended (%o)', async (end, words) => {
    await using bench = await openBench()
    const request = question(options(2))
    const { card, edit } = await deal(bench, request)
    await edit(decided(request, end))
    expect(bench.server.message(card).text).toContain(words)
    expect(bench.server.message(card).buttons).toEqual([])
    expect(bench.server.violations).toEqual([])
  })

  test('of hostile words notifies nobody and breaks nothing', async () => {
    await using bench = await openBench()
    const { server } = bench
    const hostile = '<!channel> <@U0TESTBOT1> & *bold* `x` :tada: \u202e'
    const request = question([{ id: hostile, label: hostile, description: hostile.repeat(20) }, ...options(8)], {
      question: hostile.repeat(100),
      context: hostile.repeat(300),
      multiple: true,
    })
    const { card } = await deal(bench, request)
    expect(server.message(card).bot).toBe(true)
    const said = server.callsTo('chat.postMessage').at(-1)?.args.text
    expect(said).not.toContain('<!channel>')
    expect(server.violations).toEqual([])
  })
})
