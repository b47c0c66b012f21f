import { describe, expect, test } from 'vitest'
import type { ApprovalAnswer } from '../../src/domain/question.ts'
import type { ApprovalRequest } from '../../src/domain/request.ts'
import { until } from '../support/until.ts'
import { cardOf, told } from './card-room.ts'
import { approval } from './requests.ts'
import { posting } from './stub.ts'

const grants = { exact: ['git push origin main'], wide: ['git push*'], untrusted: false }
const dayMs = 86_400_000

const decided = (answer: ApprovalAnswer, more: Partial<ApprovalRequest> = {}): ApprovalRequest =>
  approval(
    { grants },
    {
      state: 'answered',
      answer,
      answeredBy: { id: '123456789012345678', name: 'Ana' },
      answeredAt: 1_700_000_060_000,
      ...more,
    },
  )

describe('an approval says', () => {
  test('what is unclear, which hosts it may reach, which files it runs, who decides, and who has approved', async () => {
    const request = approval(
      { unclear: ['what `$X` is'], hosts: ['*.example.org', 'api.example.com'], runs: ['build/\u202Egnp.sh'] },
      {
        decided: { decider: 'owners', who: '2 of group 223456789012345678 or user 323456789012345678', needed: 2 },
        votes: [{ person: { id: '123456789012345678', name: 'Ada' }, at: 1 }],
        deadlineAt: 1_700_000_300_000,
      },
    )
    const content = (await cardOf(request)).shown()?.content

    expect(content).toContain('**Unclear:** what \\`$X\\` is')
    expect(content).toContain('**May reach:** `*.example.org`, `api.example.com`')
    expect(content).toContain('**Runs:** `build/\\u{202e}gnp.sh`')
    expect(content).toContain(
      '-# high risk · Can be approved by: 2 of <@&223456789012345678> or <@323456789012345678> · 1 of 2: <@123456789012345678>',
    )
    expect(content).toContain('-# Without an answer, it counts as a no <t:1700000300:R>.')
  })

  test('how many more there are, where not all have room', async () => {
    const hosts = Array.from({ length: 500 }, (_, index) => `host-${index}.example.org`)
    const { shown } = await cardOf(approval({ hosts, unclear: ['字'.repeat(400), 'b'] }))

    expect(shown()?.content).toMatch(/`host-0\.example\.org`.* and 4\d\d more/)
    expect(shown()?.content.length).toBeLessThanOrEqual(4_000)
  })

  test('no more than Discord takes, however much there is of everything', async () => {
    const many = Array.from({ length: 30 }, (_, index) => `${index} *字*`.repeat(60))
    const votes = many.map((name) => ({ person: { id: name, name }, at: 1 }))
    const full = { unclear: many, hosts: many, runs: many, reason: '*理由'.repeat(999), input: '漢字```'.repeat(2_000) }
    const request = approval(
      { ...full, tool: '漢`'.repeat(99), grants },
      { decided: { decider: 'owners', who: '*字'.repeat(999), needed: 20 }, votes, deadlineAt: 1_700_000_300_000 },
    )
    const { shown } = await cardOf(request)

    expect(shown()?.content).toContain('20')
    expect(shown()?.content.length).toBeGreaterThan(3_000)
    expect(shown()?.buttons).toHaveLength(4)
  })

  test('the whole input where it stands nowhere else, however much there is of the rest', async () => {
    const many = Array.from({ length: 30 }, (_, index) => `${index} *字*`.repeat(60))
    const input = { text: '漢'.repeat(1_480) }
    const { shown } = await cardOf(
      approval(
        { input, unclear: many, hosts: many, runs: many, reason: '理由'.repeat(999), grants },
        { decided: { decider: 'owners', who: '*字'.repeat(999), needed: 2 }, deadlineAt: 1_700_000_300_000 },
      ),
    )
    expect(shown()?.content).toContain(input.text)
    expect(shown()?.content).not.toContain('more characters')
  })

  test('after each vote how many there are; and whoever votes is told', async () => {
    const request = approval({}, { decided: { decider: 'owners', who: '2 of anyone', needed: 2 } })
    const { room, discord, id, sink, thread, shown, show } = await cardOf(request)
    const voted = { ...request, votes: [{ person: { id: discord.users.ana ?? '', name: 'Ana' }, at: 1 }] }
    sink.outcome = () => ({ kind: 'voted', request: voted })
    expect(shown()?.content).toContain(' · 0 of 2')
    discord.people.click('ana', id, 'Approve')
    expect(await told(room, thread.thread, 'ana')).toBe('Counted: 1 of 2.')

    await show(voted)
    expect(shown()?.content).toContain(` · 1 of 2: <@${discord.users.ana}>`)
    expect(shown()?.buttons.map(({ label }) => label)).toEqual(['Approve', 'Deny', 'Deny and say why…'])
    expect(shown()?.pinged).toEqual([])
  })

  test('why somebody may not decide, as plain text', async () => {
    const { room, discord, id, sink, thread } = await cardOf(approval())
    sink.outcome = () => ({ kind: 'not-allowed', reason: 'It is for [me](http://x.y) or group 223456789012345678.' })
    discord.people.click('cleo', id, 'Deny')
    expect(await told(room, thread.thread, 'cleo')).toBe(
      'It is for \\[me\\]\\(http\\://x.y\\) or <@&223456789012345678>.',
    )
  })
})

describe('“Always…”', () => {
  const open = async (request = approval({ grants })) => {
    const opened = await cardOf(request)
    const { discord, id, sink } = opened
    const first = await discord.people.click('ana', id, 'Always…').answered
    const modal = discord.people.openModal('ana')
    const words = modal?.components.map(({ content }) => content ?? '').join('\n') ?? ''
    const taken = async () => (await until('the answer', () => sink.answers[0])).given
    return { ...opened, first, modal, words, taken }
  }

  test('is offered only where something can be granted; the wider choice, where all of it can be shown', async () => {
    const labels = async (request: ApprovalRequest) =>
      (await cardOf(request)).shown()?.buttons.map(({ label }) => label) ?? []
    expect(await labels(approval({ grants }))).toContain('Always…')
    expect(await labels(approval())).not.toContain('Always…')
    const { words, modal } = await open(approval({ grants: { ...grants, wide: ['x'.repeat(3_000)] } }))
    expect(words).toContain('There’s a wider option too, but it’s too long for this form: see the console.')
    expect(modal?.components[1]?.component?.options).toHaveLength(1)
  })

  test('shows every pattern as code, and what each choice lets through; exactly this, here, for a day is chosen', async () => {
    const { discord, words, taken } = await open()
    expect(words).toContain('**Exactly this call**\n-# This call and no other: same tool and arguments.')
    expect(words).toContain(
      '**Anything that matches the patterns**\n- `git push*`\n-# Any call whose parts all match a pattern or are allowed anyway;',
    )
    expect(words).not.toContain('from outside')
    expect(words).not.toContain('more than this thread')
    await discord.people.submitModal('ana', {}).answered

    const always = { pattern: 'exact', scope: 'thread', forMs: dayMs }
    expect(await taken()).toEqual({ kind: 'approval', answer: { decision: 'approve', always } })
  })

  test('takes what is chosen', async () => {
    const { discord, taken } = await open()
    const chosen = { pattern: 'wide', scope: 'In this whole server', until: 'Until revoked' }
    await discord.people.submitModal('ana', chosen).answered

    const always = { pattern: 'wide', scope: 'tenant' }
    expect(await taken()).toEqual({ kind: 'approval', answer: { decision: 'approve', always } })
  })

  test('says that untrusted content is there, and that files must stay as they are; a backtick ends no code', async () => {
    const { words, modal } = await open(
      approval({
        grants: { exact: ['x'], wide: ['./x `@everyone`\u202e'], scopes: ['thread'], untrusted: true },
        binding: 'abc',
        runs: ['x'],
        tool: 'x'.repeat(80),
      }),
    )
    expect(words).toContain('- `./x ˋ@everyoneˋ\\u{202e}`')
    expect(words).toContain('same tool, arguments, directory and contents of the scripts that it runs.')
    expect(words).toContain('with the scripts that it runs as they are now.')
    expect(words).toContain('**⚠ Content from outside is in this thread, or this call brings it in.**')
    expect(words).toContain('Only the operator (in the console)')
    expect(modal?.components[2]?.component?.options?.map(({ label }) => label)).toEqual(['In this thread'])
  })

  test('takes nothing that was not offered', async () => {
    const { discord, sink, room, thread, id } = await open()
    // Meanwhile the request has no wider pattern any more.
    sink.requests.set(approval().id, approval({ grants: { exact: grants.exact, untrusted: false } }))
    await discord.people.submitModal('ana', { pattern: 'wide' }).answered
    expect(await told(room, thread.thread, 'ana')).toBe('That isn’t a valid answer to this question.')
    expect(sink.answers).toEqual([])

    sink.requests.set(approval().id, approval())
    discord.people.click('ben', id, 'Always…')
    expect(await told(room, thread.thread, 'ben')).toBe('This can only be approved once.')
  })

  test('holds in direct messages for these alone: to Discord, those of all people are one place', async () => {
    const { discord, platform, sink } = await cardOf(approval())
    const request = approval({ grants })
    sink.requests.set(request.id, request)
    const channel = discord.people.direct('ben')
    discord.people.post('ben', channel, 'hello')
    const heard = await until('the message', () => sink.heard.find(({ direct }) => direct))
    const [page] = platform.pages({ kind: 'card', request })
    const id = await platform.post(heard.thread, page, posting('direct.0'))
    await discord.people.click('ben', id, 'Always…').answered
    const scopes = discord.people.openModal('ben')?.components[2]?.component?.options

    expect(scopes?.map(({ value }) => value)).toEqual(['thread'])
  })
})

describe('“Deny and say why…”', () => {
  test.each([
    [
      { reason: ' Keep the logs. ', instead: 'Move them.' },
      { reason: 'Keep the logs.', instead: 'Move them.' },
    ],
    [{ instead: 'Move them.' }, { instead: 'Move them.' }],
    [{}, {}],
  ])('takes %j', async (filled, given) => {
    const { discord, id, sink } = await cardOf(approval())
    await discord.people.click('ana', id, 'Deny and say why…').answered
    await discord.people.submitModal('ana', filled).answered

    const taken = await until('the answer', () => sink.answers[0])
    expect(taken.given).toEqual({ kind: 'approval', answer: { decision: 'deny', ...given } })
  })
})

describe('the outcome', () => {
  test.each<[string, ApprovalRequest, string[]]>([
    ['once', decided({ decision: 'approve' }), ['### ✓ Approved once: `run_command`']],
    [
      'always',
      decided({ decision: 'approve', always: { pattern: 'wide', scope: 'channel', forMs: dayMs } }),
      ['### ✓ Approved always', 'Always: `git push*`, in this channel, until <t:1700086460:f>'],
    ],
    [
      'until revoked',
      decided({ decision: 'approve', always: { pattern: 'exact', scope: 'tenant' } }),
      ['Always: exactly this call, in this whole server, until revoked'],
    ],
    ['no', decided({ decision: 'deny', reason: 'Not *now*.' }), ['### ✗ Denied', '> Not \\*now\\*.']],
    [
      'instead',
      decided({ decision: 'deny', reason: 'No.', instead: 'Use @everyone' }),
      ['### ✗ Corrected', '> **Why not:** No.', '> **Instead:** Use \\@everyone'],
    ],
    [
      'too late',
      decided({ decision: 'deny', by: 'deadline' }, { answeredBy: undefined }),
      ['### ○ Denied because nobody decided in time: `run_command`', '-# <t:1700000060:f>'],
    ],
    [
      'a quorum',
      decided(
        { decision: 'approve' },
        {
          decided: { decider: 'owners', who: '2 of anyone', needed: 2 },
          votes: [
            { person: { id: 'x', name: 'A*a' }, at: 1 },
            { person: { id: '123456789012345678', name: 'Ana' }, at: 2 },
          ],
        },
      ),
      ['-# by A\\*a, <@123456789012345678> · <t:1700000060:f>'],
    ],
  ])('replaces the buttons: %s', async (_, request, words) => {
    const { shown } = await cardOf(request)
    for (const one of words) expect(shown()?.content).toContain(one)
    expect(shown()?.buttons).toEqual([])
  })
})
