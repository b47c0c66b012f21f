import { describe, expect, test } from 'vitest'
import type { GrantOffer } from '../../src/domain/grant.ts'
import type { ApprovalRequest } from '../../src/domain/request.ts'
import { approval, calm, deal, decided, openForm, whispers } from './requests.ts'
import { openBench } from './support.ts'

const offering = (grants: GrantOffer, binding = ''): ApprovalRequest =>
  approval({ command: 'npm test' }, 'medium', { grants, binding })

const both: GrantOffer = { exact: ['npm test'], wide: ['npm *', 'node *'], untrusted: false }

describe('“Always…”', () => {
  test('shows every pattern and what it lets through, and takes what was chosen', async () => {
    await using bench = await openBench(calm)
    const { server, sink } = bench
    const request = offering(both, 'hash of package.json')
    sink.onAnswer = async () => ({ kind: 'taken', request })
    const { card } = await deal(bench, request)
    const modal = await openForm(bench, 'ana', card, 'Always…')
    expect(modal.title).toBe('Always allow')
    expect(modal.text).toContain('• npm test\nIt lets through this call again, and nothing else.')
    expect(modal.text).toContain('• npm *\n• node *\nIt also lets through whatever else stands where there is a *')
    expect(modal.text).toContain('as long as the files that it runs stay as they are')
    expect(modal.text).not.toContain('outside')
    expect(modal.fields.map(({ block_id }) => block_id)).toEqual(['pattern', 'scope', 'until'])
    const chosen = { pattern: 'wide', scope: 'In this channel', until: '30 days' }
    expect(await server.people.submit('ana', modal.id, chosen)).toMatchObject({ acked: true, closed: true })
    const always = { pattern: 'wide', scope: 'channel', forMs: 30 * 86_400_000 }
    expect(sink.answers).toEqual([
      { id: 'req_1', given: { kind: 'approval', answer: { decision: 'approve', always } }, by: server.user('ana') },
    ])
    expect(server.violations).toEqual([])
  })

  test('is exactly this, in this thread and for a day, unless somebody says otherwise', async () => {
    await using bench = await openBench({ ...calm, http: true })
    const { server, sink } = bench
    const request = offering(both)
    sink.onAnswer = async () => ({ kind: 'taken', request })
    const { card } = await deal(bench, request)
    const modal = await openForm(bench, 'ana', card, 'Always…')
    await server.people.submit('ana', modal.id, {})
    const always = { pattern: 'exact', scope: 'thread', forMs: 86_400_000 }
    expect(sink.answers).toMatchObject([{ given: { answer: { decision: 'approve', always } } }])
  })

  test('without end, and where only exactly this is offered', async () => {
    await using bench = await openBench(calm)
    const { server, sink } = bench
    const request = offering({ exact: ['npm test'], untrusted: true })
    sink.onAnswer = async () => ({ kind: 'taken', request })
    const { card } = await deal(bench, request)
    const modal = await openForm(bench, 'ana', card, 'Always…')
    expect(modal.fields.map(({ block_id }) => block_id)).toEqual(['scope', 'until'])
    expect(modal.text).toContain('⚠ Content from outside is in this thread.')
    await server.people.submit('ana', modal.id, { until: 'Without end', scope: 'tenant' })
    expect(sink.answers.map(({ given }) => given)).toEqual([
      { kind: 'approval', answer: { decision: 'approve', always: { pattern: 'exact', scope: 'tenant' } } },
    ])
    expect(server.violations).toEqual([])
  })

  test.each([
    [{ kind: 'not-allowed', reason: 'It is for Ben.' } as const, 'It is for Ben.'],
    [{ kind: 'not-found' } as const, 'This is not known any more: the conversation was reset or deleted.'],
  ])('that is refused says so in the form (%o)', async (answered, words) => {
    await using bench = await openBench(calm)
    const { server, sink } = bench
    sink.onAnswer = async () => answered
    const { card } = await deal(bench, offering(both))
    const modal = await openForm(bench, 'dan', card, 'Always…')
    const submitted = await server.people.submit('dan', modal.id, {})
    expect(submitted).toMatchObject({ closed: false, errors: { scope: words } })
    expect(server.violations).toEqual([])
  })

  test('that is one vote of two closes the form and is counted', async () => {
    await using bench = await openBench(calm)
    const { server, sink } = bench
    const request: ApprovalRequest = {
      ...offering(both),
      decided: { decider: 'two', who: 'anyone', needed: 2 },
      votes: [{ person: { id: 'U1', name: 'Ana' }, at: 1 }],
    }
    sink.onAnswer = async () => ({ kind: 'voted', request })
    const { card, ts } = await deal(bench, request)
    const modal = await openForm(bench, 'ana', card, 'Always…')
    expect(modal.text).toContain('2 have to approve: what the last of them chooses holds.')
    expect(await server.people.submit('ana', modal.id, {})).toMatchObject({ closed: true })
    await server.until(() => whispers(bench, 'ana', ts).length > 0)
    expect(whispers(bench, 'ana', ts)).toEqual(['Counted: 1 of 2.'])
  })

  test('offers nothing wider that nobody could read, and shows what is hidden in it', async () => {
    await using bench = await openBench(calm)
    const { server } = bench
    const { card } = await deal(
      bench,
      offering({ exact: [`echo \u202e${'<!channel> '.repeat(500)}`], wide: ['x'.repeat(1_001)], untrusted: false }),
    )
    const modal = await openForm(bench, 'ana', card, 'Always…')
    expect(modal.fields.map(({ block_id }) => block_id)).toEqual(['scope', 'until'])
    expect(modal.text).toContain('echo \\u{202e}')
    expect(modal.text).toContain('too long to be shown here')
    expect(server.violations).toEqual([])
  })

  test('is not opened any more when somebody was first, or where nothing is offered', async () => {
    await using bench = await openBench(calm)
    const { server, sink } = bench
    const request = offering(both)
    const { card, ts } = await deal(bench, request)
    sink.requests.set(request.id, approval('npm test'))
    await server.people.click('ben', card, 'Always…')
    await server.until(() => whispers(bench, 'ben', ts).length === 1)
    sink.requests.set(request.id, decided(request, { answer: { decision: 'approve' } }))
    await server.people.click('ben', card, 'Always…')
    await server.until(() => whispers(bench, 'ben', ts).length === 2)
    expect(whispers(bench, 'ben', ts)).toEqual([
      'This can be approved once only.',
      'That came too late. Approved once by Ana',
    ])
    expect(server.people.modal('ben')).toBeUndefined()
  })
})

describe('“Deny and say why…”', () => {
  test.each([
    [{}, {}],
    [{ reason: ' it is signed ' }, { reason: 'it is signed' }],
    [{ instead: 'Use make.' }, { instead: 'Use make.' }],
    [
      { reason: 'r', instead: 'i' },
      { reason: 'r', instead: 'i' },
    ],
  ])('takes a reason, what to do instead, both or none (%o)', async (values, said) => {
    await using bench = await openBench(calm)
    const { server, sink } = bench
    const request = approval()
    sink.onAnswer = async () => ({ kind: 'taken', request })
    const { card } = await deal(bench, request)
    const modal = await openForm(bench, 'ana', card, 'Deny and say why…')
    expect(modal.fields.map(({ optional }) => optional)).toEqual([true, true])
    expect(await server.people.submit('ana', modal.id, values)).toMatchObject({ closed: true })
    expect(sink.answers.map(({ given }) => given)).toEqual([
      { kind: 'approval', answer: { decision: 'deny', ...said } },
    ])
    expect(server.violations).toEqual([])
  })
})
