import { describe, expect, test } from 'vitest'
import type { GrantOffer } from '../../src/domain/grant.ts'
import type { ApprovalRequest } from '../../src/domain/request.ts'
import { approval, deal, decided, openForm, whispers } from './requests.ts'
import { openBench } from './support.ts'

const offering = (grants: GrantOffer, binding = ''): ApprovalRequest =>
  approval({ command: 'npm test' }, 'medium', { grants, binding, runs: binding === '' ? [] : ['package.json'] })

const both: GrantOffer = { exact: ['npm test'], wide: ['npm *', 'node *'], untrusted: false }

describe('“Always…”', () => {
  test('shows every pattern and what it lets through, and takes what was chosen', async () => {
    await using bench = await openBench()
    const { server, sink } = bench
    const request = offering(both, 'hash of package.json')
    sink.onAnswer = async () => ({ kind: 'taken', request })
    const { card } = await deal(bench, request)
    const modal = await openForm(bench, 'ana', card, 'Always…')
    expect(modal.title).toBe('Always allow')
    expect(modal.text).toContain(
      'Exactly this call\nThis call and no other: same tool, arguments, directory and contents of the scripts that it runs.',
    )
    expect(modal.text).toContain(
      'Anything that matches the patterns\n• npm *\n• node *\nAny call whose parts all match a pattern or are allowed anyway; ' +
        '* is any text. Only in the same directory, and with the scripts that it runs as they are now.',
    )
    expect(modal.text).not.toContain('outside')
    expect(modal.text).not.toContain('more than this thread')
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
    await using bench = await openBench({ http: true })
    const { server, sink } = bench
    const request = offering(both)
    sink.onAnswer = async () => ({ kind: 'taken', request })
    const { card } = await deal(bench, request)
    const modal = await openForm(bench, 'ana', card, 'Always…')
    await server.people.submit('ana', modal.id, {})
    const always = { pattern: 'exact', scope: 'thread', forMs: 86_400_000 }
    expect(sink.answers).toMatchObject([{ given: { answer: { decision: 'approve', always } } }])
  })

  test('until revoked, and where only exactly this is offered', async () => {
    await using bench = await openBench()
    const { server, sink } = bench
    const request = offering({ exact: ['npm test'], untrusted: true })
    sink.onAnswer = async () => ({ kind: 'taken', request })
    const { card } = await deal(bench, request)
    const modal = await openForm(bench, 'ana', card, 'Always…')
    expect(modal.fields.map(({ block_id }) => block_id)).toEqual(['scope', 'until'])
    expect(modal.text).toContain('⚠ Content from outside is in this thread, or this call brings it in.')
    await server.people.submit('ana', modal.id, { until: 'Until revoked', scope: 'tenant' })
    expect(sink.answers.map(({ given }) => given)).toEqual([
      { kind: 'approval', answer: { decision: 'approve', always: { pattern: 'exact', scope: 'tenant' } } },
    ])
    expect(server.violations).toEqual([])
  })

  test.each([
    [{ kind: 'not-allowed', reason: 'It is for Ben.' } as const, 'It is for Ben.'],
    [{ kind: 'not-found' } as const, 'This no longer exists: the thread was reset or deleted.'],
  ])('that is refused says so in the form (%o)', async (answered, words) => {
    await using bench = await openBench()
    const { server, sink } = bench
    sink.onAnswer = async () => answered
    const { card } = await deal(bench, offering(both))
    const modal = await openForm(bench, 'dan', card, 'Always…')
    const submitted = await server.people.submit('dan', modal.id, {})
    expect(submitted).toMatchObject({ closed: false, errors: { scope: words } })
    expect(server.violations).toEqual([])
  })

  test('offers nothing wider that nobody could read', async () => {
    await using bench = await openBench()
    const { server } = bench
    const { card } = await deal(
      bench,
      offering({ exact: ['<!channel> '.repeat(500)], wide: ['x'.repeat(1_001)], untrusted: false }),
    )
    const modal = await openForm(bench, 'ana', card, 'Always…')
    expect(modal.fields.map(({ block_id }) => block_id)).toEqual(['scope', 'until'])
    expect(modal.text).toContain('There’s a wider option too, but it’s too long for this form: see the console.')
    expect(server.violations).toEqual([])
  })

  test('shows what is hidden in a pattern, and says whose it is to allow more than a thread', async () => {
    await using bench = await openBench()
    const { server, sink } = bench
    const request = offering({ ...both, wide: ['echo \u202e*'], scopes: ['thread'] })
    sink.onAnswer = async () => ({ kind: 'taken', request })
    const { card } = await deal(bench, request)
    const modal = await openForm(bench, 'ana', card, 'Always…')
    expect(modal.text).toContain('• echo \\u{202e}*')
    expect(modal.text).toContain('Only the operator (in the console), or someone named in the rules')
    const where = modal.fields.find(({ block_id }) => block_id === 'scope')
    expect(where?.options.map(({ label }) => label)).toEqual(['In this thread'])
    await server.people.submit('ana', modal.id, {})
    expect(sink.answers).toMatchObject([{ given: { answer: { always: { scope: 'thread' } } } }])
    expect(server.violations).toEqual([])
  })

  test('is not opened any more when somebody was first, or where nothing is offered', async () => {
    await using bench = await openBench()
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
      'This can only be approved once.',
      'Too late, this has been settled: approved once by Ana.',
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
    await using bench = await openBench()
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
