import { describe, expect, test } from 'vitest'
import type { Request } from '../../src/domain/request.ts'
import { patienceMs } from '../../src/platforms/discord/interactions/respond.ts'
import { until } from '../support/until.ts'
import { cardOf, told } from './card-room.ts'
import { approval, options, question } from './requests.ts'

describe('an approval', () => {
  test('shows what would run, why it is asked, and how risky it is', async () => {
    const { shown, discord, thread } = await cardOf(approval())

    expect(shown()?.content).toContain('Approve `run_command`?')
    expect(shown()?.content).toContain('"command": "rm -r build"')
    expect(shown()?.content).toContain('It removes files.')
    expect(shown()?.content).toContain('high risk')
    expect(shown()?.buttons.map(({ label }) => label)).toEqual(['Approve', 'Deny', 'Deny and say why…'])
    expect(discord.view(thread.thread)).toHaveLength(1)
  })

  test.each([
    ['Approve', 'approve'],
    ['Deny', 'deny'],
  ])('%s is taken, and the click is answered at once', async (label, decision) => {
    const { discord, id, sink } = await cardOf(approval())
    const { kind } = await discord.people.click('ana', id, label).answered

    expect(kind).toBe('deferred update')
    const taken = await until('the answer', () => sink.answers[0])
    expect(taken).toEqual({
      id: approval().id,
      given: { kind: 'approval', answer: { decision } },
      by: discord.users.ana,
    })
  })

  test('a reason comes by a form', async () => {
    const { discord, id, sink } = await cardOf(approval())
    expect((await discord.people.click('ana', id, 'Deny and say why…').answered).kind).toBe('modal')
    await discord.people.submitModal('ana', { reason: 'Keep the logs.' }).answered

    const taken = await until('the answer', () => sink.answers[0])
    expect(taken.given).toEqual({ kind: 'approval', answer: { decision: 'deny', reason: 'Keep the logs.' } })
  })

  test('the outcome replaces the buttons: what, who and when', async () => {
    const { discord, platform, thread, id, shown } = await cardOf(approval())
    const decided: Request = {
      ...approval(),
      state: 'answered',
      answer: { decision: 'deny', reason: 'Keep the *logs*.' },
      answeredBy: { id: discord.users.ana ?? '', name: 'Ana' },
      answeredAt: 1_700_000_060_000,
    }
    const [page] = platform.pages({ kind: 'card', request: decided })
    await platform.edit(thread, id, page)
    await platform.edit(thread, id, page)

    expect(shown()?.buttons).toEqual([])
    expect(shown()?.content).toContain('✗ Denied: `run_command`')
    expect(shown()?.content).toContain('rm -r build')
    expect(shown()?.content).toContain('Keep the \\*logs\\*.')
    expect(shown()?.content).toContain(`by <@${discord.users.ana}> · <t:1700000060:f>`)
    expect(shown()?.pinged).toEqual([])
  })

  test('what nobody would see is shown, and of what is too long both ends', async () => {
    const hidden = 'rm \u202Etxt.\u200Ba\u2066'
    const { shown } = await cardOf(approval({ input: { command: hidden, more: `${'x'.repeat(5_000)} end` } }))

    expect(shown()?.content).toContain('rm \\u{202e}txt.\\u{200b}a\\u{2066}')
    expect(shown()?.content).toMatch(/… \d+ more characters …\nx+ end"\n\}\n```\n-# All of it is above\./)
  })

  test('a card that is too large is cut to what Discord accepts, in any script', async () => {
    const input = { text: '漢字 ``` `'.repeat(2_000) }
    const { shown } = await cardOf(approval({ input, reason: '理由'.repeat(2_000), tool: 'x'.repeat(200) }))

    expect(shown()?.content.length).toBeLessThanOrEqual(4_000)
    expect(shown()?.buttons).toHaveLength(3)
  })
})

describe('who clicks', () => {
  test('too late hears who was first; a stranger hears why not; nobody else sees it', async () => {
    const { room, discord, id, sink, thread } = await cardOf(approval())
    const decided: Request = {
      ...approval(),
      state: 'answered',
      answer: { decision: 'approve' },
      answeredBy: { id: '1', name: 'Ben' },
      answeredAt: 1,
    }
    sink.outcome = () => ({ kind: 'too-late', request: decided })
    discord.people.click('ana', id, 'Approve')
    expect(await told(room, thread.thread, 'ana')).toBe('Too late, this has been settled: approved once by Ben.')

    sink.outcome = () => ({ kind: 'not-allowed', reason: 'Only approvers may decide this.' })
    discord.people.click('cleo', id, 'Approve')
    expect(await told(room, thread.thread, 'cleo')).toBe('Only approvers may decide this.')
  })

  test('two at once are both answered, and both reach the core', async () => {
    const { discord, id, sink } = await cardOf(approval())
    const asked = [discord.people.click('ana', id, 'Approve'), discord.people.click('ben', id, 'Deny')]
    const answers = await Promise.all(asked.map(({ answered }) => answered))

    expect(answers.map(({ kind }) => kind)).toEqual(['deferred update', 'deferred update'])
    await until('both', () => sink.answers.length === 2)
  })

  test('a card from before a restart works; an unknown one says so', async () => {
    const { room, discord, id, sink, thread } = await cardOf(approval())
    await room.restart()
    discord.people.click('ana', id, 'Approve')
    await until('the answer', () => sink.answers.length === 1)

    sink.requests.clear()
    discord.people.click('ben', id, 'Deny and say why…')
    expect(await told(room, thread.thread, 'ben')).toBe('This no longer exists: the thread was reset or deleted.')
  })

  test('when Discord does not take the answer to a click, the click counts all the same', async () => {
    const { discord, id, sink } = await cardOf(approval(), { mayViolate: true })
    discord.misbehave.fail({ path: '/callback' }, { kind: 'status', status: 500 }, 9)
    discord.people.click('ana', id, 'Approve')

    await until('the answer', () => sink.answers.length === 1)
  })

  test('a click is acknowledged when it is stored, or shortly before Discord gives it up', async () => {
    const { discord, id, sink } = await cardOf(approval())
    const storing = Promise.withResolvers<void>()
    const { answer } = sink
    sink.answer = async (...given) => {
      await storing.promise
      return await answer.apply(sink, given)
    }
    const click = discord.people.click('ana', id, 'Approve')
    const first = await Promise.race([
      click.answered,
      new Promise((resolve) => setTimeout(() => resolve('nothing'), 500)),
    ])
    expect(first).toBe('nothing')
    // Discord waits 3 s.
    expect(patienceMs).toBeLessThan(2_500)
    expect((await click.answered).kind).toBe('deferred update')
    storing.resolve()

    await until('the answer', () => sink.answers.length === 1)
  })

  test('if the core fails, the person is told', async () => {
    const { room, discord, id, sink, thread } = await cardOf(approval())
    sink.outcome = () => {
      throw new Error('the disk is full')
    }
    discord.people.click('ana', id, 'Approve')

    expect(await told(room, thread.thread, 'ana')).toBe('That didn’t work. Try again.')
  })

  test('if the core fails before anything was answered, the person is told at once', async () => {
    const { room, discord, id, sink, thread } = await cardOf(approval())
    sink.request = () => Promise.reject(new Error('the disk is full'))

    expect((await discord.people.click('ana', id, 'Deny and say why…').answered).kind).toBe('message')
    expect(await told(room, thread.thread, 'ana')).toBe('That didn’t work. Try again.')
  })
})

describe('a question', () => {
  test('with few options has a button for each, and a way to say something else', async () => {
    const { shown, discord, id, sink } = await cardOf(question({ context: 'For the *wall*.' }))

    expect(shown()?.content).toContain('Which colour?')
    expect(shown()?.content).toContain('For the *wall*.')
    expect(shown()?.content).toContain('**Red** (recommended) – like fire · 1 minute')
    expect(shown()?.buttons.map(({ label }) => label)).toEqual(['Red', 'Blue', 'Something else…'])
    discord.people.click('ana', id, 'Blue')
    expect((await until('the answer', () => sink.answers[0])).given).toEqual({ kind: 'question', answer: ['blue'] })
  })

  test('with many options has a list', async () => {
    const { shown, discord, id, sink } = await cardOf(question({ options: options(25) }))
    const [list] = shown()?.selects ?? []

    expect(list?.options).toHaveLength(25)
    discord.people.select('ana', id, list?.customId ?? '', ['7'])
    expect((await until('the answer', () => sink.answers[0])).given).toEqual({ kind: 'question', answer: ['option 7'] })
  })

  test('with several answers takes several', async () => {
    const { shown, discord, id, sink } = await cardOf(question({ multiple: true }))
    discord.people.select('ana', id, shown()?.selects[0]?.customId ?? '', ['0', '1'])

    expect((await until('the answer', () => sink.answers[0])).given).toEqual({
      kind: 'question',
      answer: ['red', 'blue'],
    })
  })

  test('that need not be answered can be skipped', async () => {
    const { discord, id, sink } = await cardOf(question({ required: false, options: [] }))
    discord.people.click('ana', id, 'Skip')

    expect((await until('the answer', () => sink.answers[0])).given).toEqual({ kind: 'declined' })
  })

  test('a form takes free text, with a choice if there is one', async () => {
    const { room, discord, id, sink, thread } = await cardOf(question())
    await discord.people.click('ana', id, 'Something else…').answered
    await discord.people.submitModal('ana', { text: 'Green!' }).answered
    expect((await until('the answer', () => sink.answers[0])).given).toEqual({ kind: 'question', answer: 'Green!' })

    await discord.people.click('ana', id, 'Something else…').answered
    await discord.people.submitModal('ana', { options: '1', text: 'but dark' }).answered
    expect((await until('the second', () => sink.answers[1])).given).toEqual({
      kind: 'question',
      answer: ['blue', 'but dark'],
    })

    await discord.people.click('ana', id, 'Something else…').answered
    await discord.people.submitModal('ana', {}).answered
    expect(await told(room, thread.thread, 'ana')).toBe('That isn’t a valid answer to this question.')
  })

  test('a form takes several choices', async () => {
    const { discord, id, sink } = await cardOf(question({ multiple: true, options: options(10) }))
    await discord.people.click('ana', id, 'Something else…').answered
    await discord.people.submitModal('ana', { options: ['1', '3'] }).answered

    expect((await until('the answer', () => sink.answers[0])).given).toEqual({
      kind: 'question',
      answer: ['option 1', 'option 3'],
    })
  })

  test('files in a form come as a message of the thread, which answers', async () => {
    const { discord, id, sink, thread, platform } = await cardOf(question())
    await discord.people.click('ana', id, 'Something else…').answered
    const files = [{ name: 'colour.txt', content: 'mauve' }]
    await discord.people.submitModal('ana', { options: '0', text: 'as in the file', files }).answered
    const heard = await until('the message', () => sink.heard[1])

    expect(heard).toMatchObject({
      thread,
      text: 'Red\nas in the file',
      mentioned: true,
      files: [{ name: 'colour.txt' }],
    })
    const [file] = heard.files
    expect(await new Response(file && (await platform.download(file))).text()).toBe('mauve')
  })

  test('what can be said of the longest question is said, and no more than Discord takes', async () => {
    const long = question({
      question: 'Was? '.repeat(1_000),
      context: '漢'.repeat(4_000),
      options: options(25).map((option) => ({
        ...option,
        label: 'L'.repeat(75),
        description: '字'.repeat(500),
        estimated_time: 'long',
      })),
      default: 'option 3',
    })
    const { shown } = await cardOf({ ...long, deadlineAt: 1_700_000_300_000 })

    expect(shown()?.content).toContain('is taken <t:1700000300:R>')
    expect(shown()?.content.length).toBeLessThanOrEqual(4_000)
  })

  test.each([
    [{ text: 'Blue', option_ids: ['blue'], by: 'person' }, '✓ Answered', 'Blue'],
    [{ text: 'Red', option_ids: ['red'], by: 'deadline' }, '○ Nobody answered in time', 'Red'],
    [{ text: '', option_ids: [], by: 'person', declined: true }, '○ Skipped', ''],
  ] as const)('what became of it is shown: %j', async (given, head, detail) => {
    const { shown } = await cardOf(
      question({}, { state: 'answered', answer: { ...given, option_ids: [] }, answeredAt: 1 }),
    )

    expect(shown()?.content).toContain(head)
    expect(shown()?.content).toContain(detail)
    expect(shown()?.buttons).toEqual([])
  })
})
