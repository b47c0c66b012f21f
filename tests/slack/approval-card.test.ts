import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ApprovalAnswer, Risk } from '../../src/domain/question.ts'
import type { ApprovalRequest } from '../../src/domain/request.ts'
import { actions } from '../../src/platforms/slack/cards/action-ids.ts'
import { approvalBlocks } from '../../src/platforms/slack/cards/approval.ts'
import { checkBlocks } from '../support/slack/blocks/check.ts'
import { isObject, type Json, listAt } from '../support/slack/json.ts'
import { renderBlocks } from '../support/slack/render.ts'
import { approval, deal, decided, whispers } from './requests.ts'
import { openBench } from './support.ts'

const jsonOf = (request: ApprovalRequest): Json[] => JSON.parse(JSON.stringify(approvalBlocks(request))) as Json[]
const textOf = (request: ApprovalRequest): string => renderBlocks(jsonOf(request))

const buttonsOf = (request: ApprovalRequest): Record<string, Json> =>
  Object.fromEntries(
    listAt({ blocks: jsonOf(request) }, 'blocks')
      .flatMap((block) => (block.type === 'actions' ? listAt(block, 'elements') : []))
      .map((element) => [String(element.action_id), element]),
  )

const granted = { exact: ['rm -r build'], wide: ['rm -r *'], untrusted: false }

describe('the card of an approval', () => {
  test('says what is known of the call, who decides, and until when', () => {
    const request: ApprovalRequest = {
      ...approval({ command: 'make release' }, 'critical', {
        unclear: ['what make does', 'whether it ends'],
        hosts: ['pypi.example', '*.cdn.example'],
        runs: ['Makefile'],
        grants: granted,
      }),
      decided: { decider: 'two', who: '2 of group S012ABC', needed: 2 },
      votes: [{ person: { id: 'U9', name: 'Ada' }, at: 1 }],
      deadlineAt: 1_795_000_000_000,
    }
    expect(textOf(request)).toBe(
      [
        'Approve run_command?',
        '{\n  "command": "make release"\n}',
        '🔴 Critical risk the build is stale',
        'Unclear: ',
        '• what make does\n• whether it ends',
        'May reach: pypi.example, *.cdn.example',
        'Runs: Makefile',
        'Can be approved by: 2 of group S012ABC · 1 of 2: Ada',
        'Until 2026-11-18 11:06; then it counts as a no.',
        '[Approve] [Always…] [Deny] [Deny and say why…]',
      ].join('\n'),
    )
  })

  test.each<[Risk, boolean]>([
    ['low', false],
    ['medium', false],
    ['high', true],
    ['critical', true],
  ])('asks once more before a yes to what is grave (%s)', (risk, grave) => {
    const { approve, always, deny } = buttonsOf(approval('x', risk, { unclear: ['what make does'] }))
    expect(approve?.style).toBe(grave ? 'danger' : 'primary')
    expect(isObject(approve?.confirm)).toBe(grave)
    expect(JSON.stringify(approve?.confirm ?? '').includes('the build is stale · what make does')).toBe(grave)
    expect(deny?.style).toBe(grave ? undefined : 'danger')
    expect(always).toBeUndefined()
  })

  test('offers “always” only where there is something to grant', () => {
    expect(Object.keys(buttonsOf(approval('x', 'low', { grants: granted })))).toContain(actions.always)
  })

  test('shows what cannot be seen, and both ends of what is long', () => {
    expect(textOf(approval({ command: 'echo \u202ehsab | lruc\u202c \u200b' }))).toContain(
      'echo \\u{202e}hsab | lruc\\u{202c} \\u{200b}',
    )
    const long = textOf(approval(`begin ${'x'.repeat(100_000)} end; rm -rf ~`))
    expect(long).toMatch(/begin x+/)
    expect(long).toMatch(/… \d+ more characters …\nx+ end; rm -rf ~\nAll of it is above\./)
    const many = Array.from({ length: 150 }, () => [[[1]]])
    expect(textOf(approval(many))).toContain('[[[1]]],[[[1]]]')
  })

  test.each<[string, Partial<ApprovalAnswer>, string]>([
    ['a yes', { decision: 'approve' }, '✓ Approved once by Ana · 2026-11-18 11:06'],
    [
      'a yes for longer',
      { decision: 'approve', always: { pattern: 'wide', scope: 'channel', forMs: 3_600_000 } },
      '✓ Approved always by Ana · 2026-11-18 11:06\n\nAlways: rm -r *, in this channel, until 2026-11-18 12:06',
    ],
    [
      'a yes until it is revoked',
      { decision: 'approve', always: { pattern: 'exact', scope: 'tenant' } },
      '✓ Approved always by Ana · 2026-11-18 11:06\n\nAlways: exactly this call, in this whole workspace, until revoked',
    ],
    ['a no', { decision: 'deny', reason: 'not now' }, '✗ Denied by Ana · 2026-11-18 11:06\n\nnot now'],
    [
      'a correction',
      { decision: 'deny', reason: 'too much', instead: 'use make clean' },
      '✗ Corrected by Ana · 2026-11-18 11:06\n\nWhy not: too much\n\nInstead: use make clean',
    ],
  ])('says what became of it: %s', (_name, answer, words) => {
    const request = decided(approval('x', 'low', { grants: granted }), { answer }) as ApprovalRequest
    expect(textOf(request).endsWith(words)).toBe(true)
    expect(buttonsOf(request)).toEqual({})
  })

  test('names all who approved, and nobody where the deadline did', () => {
    const votes = [
      { person: { id: 'U9', name: 'Ada' }, at: 1 },
      { person: { id: 'U1', name: 'Ana' }, at: 2 },
    ]
    const both = decided(approval(), { votes, answer: { decision: 'approve' } }) as ApprovalRequest
    expect(textOf(both)).toContain('Approved once by Ada, Ana ·')
    const late = { answer: { decision: 'deny', by: 'deadline' }, answeredBy: undefined }
    expect(textOf(decided(approval(), late) as ApprovalRequest)).toContain('Denied because nobody decided in time ·')
  })

  test('fits into a message whatever is asked for', () => {
    const texts = fc.array(fc.string({ unit: 'grapheme', maxLength: 400 }), { maxLength: 60 })
    const any = fc.string({ unit: 'binary', maxLength: 6_000 })
    const property = fc.property(any, any, texts, texts, texts, (input, reason, unclear, hosts, runs) => {
      const asked = approval(input, 'high', {
        tool: reason.slice(0, 300),
        reason,
        unclear,
        hosts,
        runs,
        grants: granted,
      })
      const people = Array.from({ length: 40 }, (_, at) => ({ person: { id: `U${at}`, name: reason }, at }))
      const request: ApprovalRequest = {
        ...asked,
        decided: { decider: 'd', who: reason, needed: 50 },
        votes: people,
        deadlineAt: 1,
      }
      const always = { pattern: 'wide', scope: 'thread' } as const
      const ends: object[] = [
        { decision: 'approve', always },
        { decision: 'deny', reason, instead: input },
      ]
      for (const one of [request, ...ends.map((answer) => decided(request, { answer }) as ApprovalRequest)]) {
        expect(checkBlocks(jsonOf(one), 'message', ['blocks'])).toBeUndefined()
      }
    })
    fc.assert(property, { numRuns: 30 })
  })
})

test.each(['x', '\u202e', '👩‍💻', '\n', '&', '"'])('fits into a message at its fullest (%j)', (sign) => {
  const long = sign.repeat(5_000)
  const many = Array.from({ length: 100 }, () => long)
  const grants = { exact: many, wide: many, untrusted: true }
  const request: ApprovalRequest = {
    ...approval(long, 'critical', { tool: long, reason: long, unclear: many, hosts: many, runs: many, grants }),
    decided: { decider: 'd', who: long, needed: 100 },
    votes: many.map((name, at) => ({ person: { id: `U${at}`, name }, at })),
    deadlineAt: 1,
  }
  const always = { pattern: 'wide', scope: 'thread' } as const
  const denied = decided(request, { answer: { decision: 'deny', reason: long, instead: long } }) as ApprovalRequest
  const approved = decided(request, { answer: { decision: 'approve', always } }) as ApprovalRequest
  for (const one of [request, denied, approved]) {
    expect(checkBlocks(jsonOf(one), 'message', ['blocks'])).toBeUndefined()
  }
})

test('a vote that does not decide yet is counted, the voter is told, and the card shows it', async () => {
  await using bench = await openBench()
  const { server, sink } = bench
  const two: ApprovalRequest = { ...approval(), decided: { decider: 'two', who: 'anyone', needed: 2 } }
  const voted: ApprovalRequest = { ...two, votes: [{ person: { id: server.user('ana'), name: 'ana' }, at: 1 }] }
  sink.onAnswer = async () => ({ kind: 'voted', request: voted })
  const { card, ts, edit } = await deal(bench, two)
  expect(server.message(card).text).toContain('Can be approved by: anyone · 0 of 2')
  await server.people.click('ana', card, 'Approve')
  await server.until(() => whispers(bench, 'ana', ts).length > 0)
  expect(whispers(bench, 'ana', ts)).toEqual(['Counted: 1 of 2.'])
  await edit(voted)
  expect(server.message(card).text).toContain('1 of 2: ana')
  expect(server.message(card).buttons).not.toEqual([])
  expect(server.violations).toEqual([])
})
