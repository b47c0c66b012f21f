import { describe, expect, test } from 'vitest'
import type { TurnId } from '../../src/domain/ids.ts'
import { approval, deal, decided, whispers } from './requests.ts'
import { type Bench, openBench, posting, threadOf } from './support.ts'

describe.each([{ http: false }, { http: true }])('an approval (%o)', ({ http }) => {
  test.each([
    ['Approve', { decision: 'approve' }],
    ['Deny', { decision: 'deny' }],
  ])('is given by %s', async (label, answer) => {
    await using bench = await openBench({ http })
    const { server, sink } = bench
    const request = approval()
    sink.onAnswer = async () => ({ kind: 'taken', request })
    const { card, ts } = await deal(bench, request)
    expect(server.message(card).text).toBe(
      'Approve run_command?\n{\n  "command": "rm -r build"\n}\n🟠 High risk the build is stale\n' +
        'Can be approved by: anyone\n[Approve] [Deny] [Deny and say why…]',
    )
    expect(await server.people.click('ben', card, label)).toMatchObject({ acked: true })
    expect(sink.answers).toEqual([{ id: 'req_1', given: { kind: 'approval', answer }, by: server.user('ben') }])
    expect(whispers(bench, 'ben', ts)).toEqual([])
    expect(server.violations).toEqual([])
  })

  test('from another workspace says so, even if Slack returns nothing about who clicked', async () => {
    await using bench = await openBench({ http })
    const { server, sink } = bench
    server.misbehave.refuse('users.info', 'user_not_found', { times: 10 })
    server.world.person('ben').team = 'T0PARTNER'
    const { card } = await deal(bench, approval())
    await server.people.click('ben', card, 'Approve')
    await server.people.click('ana', card, 'Approve')
    const [ben, ana] = ['ben', 'ana'].map((who) => server.user(who))
    expect(sink.deciders).toEqual([
      { id: ben, name: ben, outside: true },
      { id: ana, name: ana },
    ])
  })

  test('is denied with words from a form', async () => {
    await using bench = await openBench({ http })
    const { server, sink } = bench
    const request = approval()
    sink.onAnswer = async () => ({ kind: 'taken', request })
    const { card } = await deal(bench, request)
    await server.people.click('ana', card, 'Deny and say why…')
    const modal = await server.until(() => server.people.modal('ana'))
    expect(modal.title).toBe('Deny')
    expect(await server.people.submit('ana', modal.id, { reason: 'keep it' })).toMatchObject({
      acked: true,
      closed: true,
    })
    expect(sink.answers).toEqual([
      {
        id: 'req_1',
        given: { kind: 'approval', answer: { decision: 'deny', reason: 'keep it' } },
        by: server.user('ana'),
      },
    ])
    expect(server.violations).toEqual([])
  })

  test('that came too late says so beside the words', async () => {
    await using bench = await openBench({ http })
    const { server, sink } = bench
    const request = approval()
    sink.onAnswer = async () => ({
      kind: 'too-late',
      request: decided(request, { answer: { decision: 'approve' } }),
    })
    const { card } = await deal(bench, request)
    await server.people.click('ana', card, 'Deny and say why…')
    const modal = await server.until(() => server.people.modal('ana'))
    const submitted = await server.people.submit('ana', modal.id, { reason: 'keep it' })
    expect(submitted).toMatchObject({
      closed: false,
      errors: { reason: 'Too late, this has been settled: approved once by Ana.' },
    })
    expect(server.violations).toEqual([])
  })

  test('is not acknowledged when it could not be stored', async () => {
    await using bench = await openBench({ http, ackMs: 300 })
    const { server, sink } = bench
    sink.onAnswer = async () => {
      throw new Error('the disk is full')
    }
    const { card } = await deal(bench, approval())
    expect(await server.people.click('ana', card, 'Approve')).toMatchObject({ acked: false })
  })
})

describe('an approval', () => {
  test('shows who decided what and when, and has no buttons any more', async () => {
    await using bench = await openBench()
    const { server } = bench
    const request = approval()
    const { card, edit } = await deal(bench, request)
    await edit(decided(request, { answer: { decision: 'deny', reason: 'not <!channel> today' } }))
    const shown = server.message(card)
    expect(shown.buttons).toEqual([])
    expect(shown.text).toContain('✗ Denied by Ana · ')
    expect(shown.text).toContain('not <!channel> today')
    expect(JSON.stringify(shown.blocks)).toContain('"timestamp":1795000000')
    expect(server.violations).toEqual([])
  })

  test('an old card that two people click twice is answered once; the others are told', async () => {
    await using bench = await openBench()
    const { server, sink } = bench
    const request = approval()
    const gone = decided(request, { answer: { decision: 'approve' } })
    let first = true
    sink.onAnswer = async () => {
      if (!first) return { kind: 'too-late', request: gone }
      first = false
      return { kind: 'taken', request: gone }
    }
    const { card, ts, edit } = await deal(bench, request)
    await server.people.click('ana', card, 'Approve')
    await server.people.click('ana', card, 'Approve', { sameTrigger: true })
    await server.people.click('ben', card, 'Deny')
    await edit(gone)
    await server.people.click('cleo', card, 'Approve', { stale: true })
    await server.until(() => whispers(bench, 'cleo', ts).length > 0)
    expect(whispers(bench, 'ben', ts)).toEqual(['Too late, this has been settled: approved once by Ana.'])
    expect(sink.answers).toHaveLength(4)
    expect(server.violations).toEqual([])
  })

  test.each([
    [{ kind: 'not-allowed', reason: 'Only Ben may decide this.' } as const, 'Only Ben may decide this.'],
    [{ kind: 'not-found' } as const, 'This no longer exists: the thread was reset or deleted.'],
  ])('of a stranger, or on a forgotten card, is refused to them alone (%o)', async (answered, words) => {
    await using bench = await openBench()
    const { server, sink } = bench
    sink.onAnswer = async () => answered
    const { card, ts } = await deal(bench, approval())
    await server.people.click('dan', card, 'Approve')
    await server.until(() => whispers(bench, 'dan', ts).length > 0)
    expect(whispers(bench, 'dan', ts)).toEqual([words])
  })

  test('whose form comes too late for Slack says so', async () => {
    await using bench = await openBench()
    const { server } = bench
    const { card, ts } = await deal(bench, approval())
    server.misbehave.refuse('views.open', 'expired_trigger_id')
    await server.people.click('ana', card, 'Deny and say why…')
    await server.until(() => whispers(bench, 'ana', ts).length > 0)
    expect(whispers(bench, 'ana', ts)[0]).toContain('That took too long.')
  })

  test('shows as much of a long input as fits, and how much is left', async () => {
    await using bench = await openBench()
    const { server } = bench
    const { card } = await deal(bench, approval({ content: `${'<!channel> & '.repeat(500)}end` }))
    expect(server.message(card).text).toMatch(/… \d+ more characters ….*end"/s)
    expect(server.violations).toEqual([])
  })
})

describe('an answer', () => {
  async function answered({ server, platform }: Bench) {
    const ts = server.people.mention('ana', 'general', 'hi')
    const record = { turn: 't' as TurnId, segment: 0, state: 'done', parts: [], todos: [], startedAt: 0 } as const
    const [page] = platform.pages({
      kind: 'answer',
      text: 'good',
      files: [],
      record: { ...record, parts: [], todos: [], notices: [] },
    })
    return { ts, id: await platform.post(threadOf(server, 'general', ts), page, posting('k')) }
  }

  test('is judged by its buttons, and a bad one may be explained in a form', async () => {
    await using bench = await openBench()
    const { server, sink } = bench
    const { ts, id } = await answered(bench)
    await server.people.click('ana', id, 'Good')
    await server.people.click('ben', id, 'Bad')
    const form = await server.until(() => server.people.modal('ben'))
    expect(await server.people.submit('ben', form.id, { reason: ' It left out the third offer. ' })).toMatchObject({
      closed: true,
    })
    const on = { message: id, thread: { thread: ts } }
    expect(sink.feedbacks).toMatchObject([
      { ...on, value: 'good' },
      { ...on, value: 'bad' },
      { ...on, value: 'bad', reason: 'It left out the third offer.' },
    ])
    expect(server.people.modal('ana')).toBeUndefined()
    expect(server.violations).toEqual([])
  })

  test('that is bad counts as bad without a reason, and where Slack opens no form', async () => {
    await using bench = await openBench()
    const { server, sink } = bench
    const { id } = await answered(bench)
    await server.people.click('ben', id, 'Bad')
    const form = await server.until(() => server.people.modal('ben'))
    expect(await server.people.submit('ben', form.id, {})).toMatchObject({ closed: true })
    server.misbehave.refuse('views.open', 'expired_trigger_id')
    expect(await server.people.click('cleo', id, 'Bad')).toMatchObject({ acked: true })
    expect(sink.feedbacks.map(({ value, reason }) => [value, reason])).toEqual([
      ['bad', undefined],
      ['bad', undefined],
    ])
  })
})
