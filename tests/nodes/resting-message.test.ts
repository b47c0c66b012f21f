import { expect, test } from 'vitest'
import { family, long, requestsOf } from '../delegation/support.ts'
import { Connection } from '../support/memory/connection.ts'
import { Troubles } from '../support/memory/troubles.ts'
import { pageOf, startMemoryBot } from '../support/memory-platform.ts'
import { calls, heldUntil, type RequestBody, says } from '../support/model-server.ts'
import { startBeside } from './support.ts'

/** Two processes, of which each runs one of two subagents; the parent rests in the first. */
async function scene() {
  const parent = [
    calls('delegate_task', { task: 'part 1' }, ['delegate_task', { task: 'part 2' }]),
    says('Put together.'),
  ]
  const here = Promise.withResolvers<void>()
  const there = Promise.withResolvers<void>()
  const end = Promise.withResolvers<void>()
  const other = Promise.withResolvers<void>()
  const reads = calls('list_files', { path: 'outputs' })
  const ended = (task: string) => heldUntil(end.promise, says(long(task)))
  const config = { show: { firstMs: 20, everyMs: 20 }, engine: { turnsAtOnce: 1 } }
  const script = (gate: Promise<void>, first: 'reads' | 'ends') => {
    const begun = (task: string) => heldUntil(gate, first === 'reads' ? reads : says(long(task)))
    const replies = family(parent, [begun, ended])
    return (body: RequestBody) => (isOther(body) ? heldUntil(other.promise, says('Something else.')) : replies(body))
  }
  // Each process may run one turn at a time, so each runs one of the two.
  const one = await startMemoryBot({ script: script(here.promise, 'ends'), config })
  const { memory } = one
  const troubles = new Troubles()
  const two = await startBeside(one, 'two', {
    script: script(there.promise, 'reads'),
    config,
    platforms: (deps) => [new Connection(memory.world, troubles, deps)],
  })
  const asked = await memory.say('ana', '@bobbin go')
  await memory.eventually(() => {
    for (const bot of [one, two]) expect(requestsOf(bot.model.requests, 'child')).toHaveLength(1)
  })
  const untilShown = () =>
    memory.eventually(() => {
      const shown = memory.shown(asked).map(pageOf)
      expect(shown).toMatchObject([{ kind: 'progress' }])
      expect(JSON.stringify(shown)).toMatch(/subagent-\w+: Listing outputs/)
    })
  const untilAnswered = async () => {
    await memory.untilAnswered(asked, 'Put together.')
    await memory.eventually(() => expect(memory.lives.open).toBe(0))
    expect(memory.shown(asked).map(pageOf)).toMatchObject([{ kind: 'answer', text: 'Put together.' }])
  }
  /** The parent takes the result of the first, and rests again where it ran before: the other process is busy. */
  const untilRested = () => {
    here.resolve()
    return memory.eventually(() => {
      expect(one.rows("select state from calls where state = 'done'")).toHaveLength(1)
      expect(one.rows("select state from turns where state = 'waiting'")).toHaveLength(1)
    })
  }
  return { one, memory, troubles, there, end, other, untilRested, untilShown, untilAnswered }
}

/** Whether it is asked for what another thread wants. */
const isOther = ({ messages }: RequestBody): boolean => `${messages.at(-1)?.content}`.includes('something else')

test('what a subagent does in another process is shown in the message of its parent, which rests', async () => {
  const { there, end, untilRested, untilShown, untilAnswered } = await scene()
  await untilRested()
  there.resolve()
  await untilShown()
  end.resolve()
  await untilAnswered()
})

test('and the process in which it rests lets go of the message when the other one answers', async () => {
  const { one, memory, troubles, there, end, other, untilRested, untilShown, untilAnswered } = await scene()
  await untilRested()
  await memory.say('ana', '@bobbin something else', { channel: 'else' })
  // The first process is busy with that, so the parent goes on in the other one.
  await memory.eventually(() => expect(one.rows("select id from turns where state = 'running'")).toHaveLength(2))
  there.resolve()
  await untilShown()
  const answer = troubles.hold('edit', { fits: ({ page }) => page?.kind === 'answer' })
  end.resolve()
  await memory.eventually(() => expect(answer.waiting).toBe(1))
  other.resolve()
  await memory.eventually(() => expect(memory.lives.open).toBe(0))
  answer.release()
  await untilAnswered()
})

test('if the process in which its parent rests is gone, the other one shows it', async () => {
  const { one, there, end, untilShown, untilAnswered } = await scene()
  await one.stop()
  there.resolve()
  await untilShown()
  end.resolve()
  await untilAnswered()
})

test('a turn that waits for people isn’t shown as working when one of two has voted', async () => {
  const change = calls('write_file', { path: 'uploads/a.txt', content: 'new' })
  const bot = await startMemoryBot({
    script: (body) => {
      if (JSON.stringify(body.messages).includes('aside')) return says('Hello.')
      return body.messages.some(({ role }) => role === 'tool') ? says('Changed.') : change
    },
    config: { rules: { deciders: { team: { who: ['anyone'], asker: true, needed: 2 } } } },
  })
  const { memory } = bot
  const asked = await memory.say('ana', '@bobbin change it', { files: { 'a.txt': 'old' } })
  const request = await memory.untilCard(asked)
  await bot.settled()
  const { opened } = memory.lives
  const approve = { kind: 'approval', answer: { decision: 'approve' } } as const
  await memory.click('ana', request, approve)
  // Nothing tells when it would have been shown, so something else happens first.
  for (const _ of Array(5)) await bot.chat.say('aside')
  expect(memory.lives).toEqual({ opened, open: 0 })
  await memory.click('ben', request, approve)
  await memory.untilAnswered(asked, 'Changed.')
})
