import { describe, expect, test } from 'vitest'
import type { ThreadRef } from '../../src/domain/chat.ts'
import type { TurnPart, TurnView } from '../../src/domain/turn-view.ts'
import type { LiveOptions, LiveReply } from '../../src/platforms/platform.ts'
import type { DiscordServerOptions } from '../support/discord/server.ts'
import { liveOptions } from '../support/live-options.ts'
import { until } from '../support/until.ts'
import { openRoom, type Room } from './room.ts'
import { raw } from './server-support.ts'
import { answer, posting } from './stub.ts'

const view = (parts: TurnPart[], more: Partial<TurnView> = {}): TurnView => ({
  turn: 'turn_1',
  segment: 0,
  state: 'running',
  notices: [],
  parts,
  todos: [],
  startedAt: 0,
  ...more,
})
const text = (words: string): TurnPart => ({ kind: 'text', text: words })
const call = (about: string, status: 'running' | 'done' | 'failed' = 'running'): TurnPart => ({
  kind: 'call',
  call: `call_${about.length}`,
  tool: 'read_file',
  about,
  status,
})

interface Kept {
  began: number
  ids: string[]
  posting: ReturnType<typeof posting>
}

function liveIn(room: Room, thread: ThreadRef, kept: Kept, known: Partial<LiveOptions> = {}): LiveReply {
  const reader = { id: room.discord.users.ana ?? '', name: 'Ana' }
  const begin = async () => ++kept.began > 0
  const posted = async (id: string) => void kept.ids.push(id)
  return room.platform.live(thread, liveOptions(kept.posting.again(), { reader, begin, posted, ...known }))
}

async function open(server: DiscordServerOptions = {}) {
  const room = await openRoom({ server })
  const { thread } = await room.mention('ana', 'general', 'hello')
  const kept: Kept = { began: 0, ids: [], posting: posting('reply.0') }
  const shown = () =>
    room.discord.calls.some(({ path }) => path.endsWith('/threads')) ? room.discord.view(thread.thread) : []
  const [page] = room.platform.pages(answer('The end.'))
  const writes = () => room.discord.calls.filter(({ method, path }) => method !== 'GET' && path.includes('/messages'))
  return { room, thread, kept, shown, page, writes, live: liveIn(room, thread, kept) }
}

describe('a live reply', () => {
  test('is one message from its first words to the answer, with a button while it goes on', async () => {
    const { live, shown, page, kept } = await open()
    live.show(view([text('Let me see'), call('notes.md')]))
    const [first] = await until('the first words', () => shown().length === 1 && shown())
    expect(first?.content).toContain('… read\\_file notes.md')
    expect(first?.content).toContain('Let me see')
    expect(first?.buttons.map(({ label }) => label)).toEqual(['Stop'])
    expect(live.begun).toBe(true)

    live.show(view([text('Let me see'), call('notes.md', 'done'), text('It says')]))
    await until('the edit', () => shown()[0]?.content.includes('It says'))
    const id = await live.finish(page)
    expect(shown()).toMatchObject([{ id, content: 'The end.', buttons: [] }])
    expect(kept).toMatchObject({ began: 1, ids: [id, id] })
  })

  test('a plan is a block of its own from when it begins; the answer comes below it', async () => {
    const { live, room, thread, shown, kept } = await open()
    live.show(view([text('Let me see'), call('notes.md')]))
    await until('the first words', () => shown()[0]?.content.includes('Let me see'))
    const plan = (first: 'in_progress' | 'completed', output?: string): Pick<TurnView, 'plan'> => ({
      plan: {
        ...{ id: 'plan_1', title: 'Two *things*' },
        steps: [
          { content: '1. look', status: first, ...(output && { output }) },
          { content: '2. tell', status: 'pending' },
        ],
      },
    })
    live.show(view([text('Let me see'), call('notes.md', 'done')], plan('in_progress', 'read a.md\nread b.md\n')))
    const first = await until('the block', () => shown().find(({ components }) => components[0]?.type === 17))
    expect(first.content).toContain('**Two \\*things\\*\\: 0 of 2 steps done**\n◐ 1. look\n-# read b.md\n○ 2. tell')
    expect(first.buttons.map(({ label }) => label)).toEqual(['Stop'])
    await live.leave()
    await room.restart()

    // Another process ends it.
    const next = liveIn(room, thread, kept, { unsure: true })
    const record = view([call('notes.md', 'done')], { ...plan('completed'), state: 'done' })
    const [block, ...below] = room.platform.pages({ kind: 'answer', text: 'The end.', files: [], record })
    expect(await next.finish(block)).toBe(first.id)
    expect(shown()).toMatchObject([{ content: expect.stringContaining('✓ 1. look'), buttons: [] }])
    expect(below).toMatchObject([{ kind: 'text', content: 'The end.' }])
    expect(room.discord.violations).toEqual([])
  })

  test('an answer that is there soon is posted once, and nothing else', async () => {
    const { live, page, shown, writes } = await open()
    live.show(view([text('The')]))
    await live.finish(page)

    expect(shown().map(({ content }) => content)).toEqual(['The end.'])
    expect(writes().filter(({ path }) => path.endsWith('/messages'))).toHaveLength(1)
  })

  test('shows no more often than it may, and always the latest', async () => {
    const { live, shown, writes, page } = await open()
    for (let index = 0; index < 100; index++) live.show(view([text(`word ${index}`)]))
    await until('the latest', () => shown()[0]?.content === 'word 99')
    await live.finish(page)

    expect(writes().filter(({ path }) => !path.endsWith('/threads'))).toHaveLength(2)
  })

  test('a text that outgrows a message shows the message it has reached', async () => {
    const { live, shown, page } = await open()
    const long = `\`\`\`js\n${'let x = 1\n'.repeat(400)}`
    live.show(view([text(long)]))
    const [first] = await until('the first words', () => shown().length === 1 && shown())

    expect(first?.content.length).toBeLessThanOrEqual(2_000)
    expect(first?.content).toContain('```js\n')
    await live.finish(page)
  })

  test('whoever is typing is seen while there is nothing to read', async () => {
    const { live, room, page } = await open()
    live.show(view([]))
    await until('typing', () => room.discord.calls.some(({ path }) => path.endsWith('/typing')))
    await live.finish(page)
  })

  test('Stop is a command about its turn, and whoever clicks it hears what it did', async () => {
    const { live, room, thread, shown, page } = await open()
    live.show(view([text('On it')]))
    const [first] = await until('the first words', () => shown().length === 1 && shown())
    expect((await room.discord.people.click('ben', first?.id ?? '', 'Stop').answered).kind).toBe('deferred update')

    expect(await until('the command', () => room.sink.commands[0])).toMatchObject({
      name: 'stop',
      thread,
      turn: 'turn_1',
    })
    await until('words', () =>
      shown().find(({ ephemeralTo, content }) => ephemeralTo === 'ben' && content === 'did stop'),
    )
    await live.finish(page)
  })

  test('left alone, it stays as it is, and another process goes on with it', async () => {
    const { live, room, thread, shown, kept, page } = await open()
    live.show(view([text('Half')]))
    await until('the first words', () => shown().length === 1)
    await live.leave()
    live.show(view([text('Too late')]))
    await room.restart()

    const next = liveIn(room, thread, kept, { id: kept.ids[0] ?? '' })
    next.show(view([text('Half of it')]))
    await until('the next words', () => shown()[0]?.content === 'Half of it')
    expect(await next.finish(page)).toBe(kept.ids[0])
    expect(shown()).toMatchObject([{ content: 'The end.' }])
  })

  test('one that a former process may have posted is looked for, and not posted again', async () => {
    const { live, room, thread, shown, kept, page } = await open()
    live.show(view([text('Half')]))
    await until('the first words', () => shown().length === 1)
    await live.leave()
    await room.restart()

    const next = liveIn(room, thread, kept, { unsure: true })
    expect(next.begun).toBe(true)
    await next.finish(page)
    expect(shown()).toMatchObject([{ content: 'The end.' }])
  })

  test.each([true, false])(
    'its first post, stored although the call failed, is found (told by the gateway: %s)',
    async (told) => {
      const { live, room, shown, page } = await open({ nonceMemoryMs: 0 })
      room.discord.misbehave.drop(!told)
      room.discord.misbehave.fail({ method: 'POST', path: /messages$/ }, { kind: 'reset', stored: true })
      live.show(view([text('Half')]))
      await until('the first words', () => shown().length === 1)
      await until('the failure', () => room.deps.lines.some(({ what }) => what.startsWith('progress could not')))
      await live.finish(page)

      expect(shown()).toMatchObject([{ content: 'The end.', buttons: [] }])
    },
  )

  test.each([true, false])(
    'its first post, stored only when nobody has found it, becomes the answer (of another process: %s)',
    async (restarted) => {
      const { live, room, thread, kept, shown, page } = await open()
      const post = { method: 'POST', path: /messages$/ } as const
      room.discord.misbehave.fail(post, { kind: 'reset' })
      live.show(view([text('Half')]))
      await until('the failure', () => room.deps.lines.some(({ what }) => what.startsWith('progress could not')))
      const { path = '', body } = room.discord.calls.findLast((call) => post.path.test(call.path)) ?? {}
      if (restarted) {
        await live.leave()
        await room.restart()
      }
      room.discord.misbehave.fail(post, { kind: 'first', run: () => raw(room.discord, 'POST', path, body) })
      const id = await (restarted ? room.platform.post(thread, page, kept.posting.again()) : live.finish(page))

      expect(shown()).toMatchObject([{ id, content: 'The end.', buttons: [] }])
    },
  )

  test('an end whose first post did nothing is posted with one more call', async () => {
    const { room, thread, kept, shown, page, writes } = await open()
    room.discord.misbehave.fail({ method: 'POST', path: /messages$/ }, { kind: 'reset' })
    await expect(room.platform.post(thread, page, kept.posting)).rejects.toThrow()
    const id = await room.platform.post(thread, page, kept.posting.again())

    expect(shown()).toMatchObject([{ id, content: 'The end.' }])
    expect(writes().map(({ method }) => method)).not.toContain('PATCH')
  })

  test('once somebody has deleted it, it shows nothing more, and can’t be finished', async () => {
    const { live, room, shown, page, writes } = await open()
    live.show(view([text('Half')]))
    const [first] = await until('the first words', () => shown().length === 1 && shown())
    room.discord.people.delete(first?.id ?? '')
    live.show(view([text('Half of it')]))
    await until('the attempt', () => writes().some(({ method, status }) => method === 'PATCH' && status === 404))
    live.show(view([text('More than half')]))

    await expect(live.finish(page)).rejects.toMatchObject({ again: 'never', message: 'the message is gone' })
    expect(shown()).toEqual([])
  })

  test('where its end is posted already by somebody else, it shows nothing', async () => {
    const { room, thread, shown, kept } = await open()
    const live = liveIn(room, thread, kept, { begin: async () => ++kept.began < 0 })
    live.show(view([text('Half')]))
    await until('the question', () => kept.began === 1)
    await live.leave()

    expect(shown()).toEqual([])
    expect(live.begun).toBe(false)
  })

  test('that another process has by now shows nothing more', async () => {
    const { room, thread, shown, kept } = await open()
    let asked = 0
    const live = liveIn(room, thread, kept, {
      change: async () => {
        asked++
        return 'over'
      },
    })
    live.show(view([text('Half')]))
    await until('progress', () => shown().some((one) => one.content.includes('Half')))
    live.show(view([text('More than half')]))
    await until('the question', () => asked > 0)
    await live.leave()

    expect(shown().map((one) => one.content)).toEqual([expect.not.stringContaining('More')])
  })

  test('429s drop progress, and not the answer', async () => {
    const { live, room, shown, page } = await open()
    live.show(view([text('Half')]))
    await until('the first words', () => shown().length === 1)
    room.discord.misbehave.fail({ method: 'PATCH' }, { kind: 'rate-limited', retryAfterMs: 100 }, 2)
    live.show(view([text('Half of it')]))
    await live.finish(page)

    expect(shown()).toMatchObject([{ content: 'The end.' }])
  })

  test('twenty edits keep to the limits of the real one', async () => {
    const room = await openRoom({ server: { limits: true } })
    const { thread } = await room.mention('ana', 'general', 'hello')
    const kept: Kept = { began: 0, ids: [], posting: posting('reply.0') }
    const live = liveIn(room, thread, kept)
    const shown = () => (kept.ids.length > 0 ? room.discord.view(thread.thread) : [])
    for (let index = 0; index < 20; index++) {
      live.show(view([text(`word ${index}`)]))
      await new Promise((resolve) => setTimeout(resolve, 120))
    }
    await live.finish(room.platform.pages(answer('The end.'))[0])

    expect(shown()).toMatchObject([{ content: 'The end.' }])
    expect(room.discord.calls.filter(({ status }) => status === 429)).toEqual([])
  })
})
