import { expect, test } from 'vitest'
import { z } from 'zod'
import { defineTool } from '../../src/domain/tool.ts'
import { Unavailable } from '../../src/kit/failure.ts'
import { acquire } from '../../src/store/hold-session.ts'
import { LeaseLost } from '../../src/store/lease-lost.ts'
import { HookCaller } from '../../src/turn/hooks/hook-caller.ts'
import type { Capability } from '../../src/turn/port/capability.ts'
import { startTestBot } from '../support/bot.ts'
import { ofType } from '../support/client.ts'
import { startMemoryBot } from '../support/memory-platform.ts'
import { calls, says } from '../support/model-server.ts'
import { eventually } from '../support/until.ts'

const isAll = { rules: { defaults: { read: 'allow', write: 'allow', external: 'allow' } } } as const

const away = () => new Unavailable('database_unreachable', 'It is away.', 'Start it', { passes: true })

/** A hook that hangs when it is called first, and is cut short by the stop of the process. */
function hangingOnce<T>(later: T) {
  let asked = 0
  return { asked: () => asked, answer: () => (asked++ === 0 ? new Promise<never>(() => {}) : later) }
}

/** What the process leaves behind when it is stopped in that moment, and what the next one makes of it. */
async function stoppedIn(plugin: Capability, asked: () => number, script: string[]) {
  const bot = await startTestBot({
    plugins: [plugin],
    config: isAll,
    script: (_, number) => (script[number] === 'call' ? calls('once', {}) : says(script[number] ?? 'Too many.')),
  })
  const response = await bot.chat.send('the number is 4711')
  const conversation = response.headers.get('x-conversation-id') ?? ''
  await eventually(() => expect(asked()).toBe(1))
  await bot.restart()
  await response.body?.cancel().catch(() => {})
  await bot.chat.untilType(conversation, 'complete')
  return { bot, sent: JSON.stringify(bot.model.requests), events: await bot.chat.events(conversation) }
}

const once = (run: () => Promise<string>) =>
  defineTool({
    ...{ kind: 'run', name: 'once', description: 'Once.', input: z.strictObject({}), effect: 'external' },
    run,
  })

test('a message whose hook was cut short by a stop is read with what the hook makes of it', async () => {
  const { answer, asked } = hangingOnce('the number is ****')
  const { sent } = await stoppedIn({ name: 'redacting', userMessage: answer }, asked, ['Noted.'])
  expect(sent).toContain('the number is ****')
  expect(sent).not.toContain('4711')
})

test('a result whose hook was cut short by a stop never reaches the model without it', async () => {
  const { answer, asked } = hangingOnce('****')
  const tools = [once(async () => 'the secret is 08/15')]
  const { sent, events } = await stoppedIn({ name: 'redacting', tools, callDone: answer }, asked, ['call', 'Done.'])
  expect(ofType(events, 'observe').map(({ data }) => data.status)).toEqual(['unknown'])
  expect(sent).not.toContain('08/15')
})

test('a hook whose session another process has taken ends the run: the model is asked for nobody', async () => {
  let asked = 0
  const reminders: Capability['reminders'] = async ({ bot: { store }, session, lease }) => {
    if (asked++ > 0) return []
    await store.transaction((tx) => acquire(tx, session.id, 'another'))
    return store.fenced(lease, async () => [])
  }
  const bot = await startTestBot({
    plugins: [{ name: 'losing', reminders }],
    script: () => says('Hello.'),
    // A sweep would find it forgotten before the next message comes.
    config: { engine: { sweepMs: 3_600_000 } },
  })
  const response = await bot.chat.send('one')
  const conversation = response.headers.get('x-conversation-id') ?? ''
  await eventually(() => expect(asked).toBe(1))
  await response.body?.cancel().catch(() => {})
  await bot.chat.say('two', { conversation })
  expect(bot.model.requests).toHaveLength(1)
})

test('a hook that changes nothing and finds the same isn’t reported as an error', async () => {
  const reported: unknown[] = []
  const caller = new HookCaller([], { sections: {} }, (...about) => reported.push(about))
  const { signal } = new AbortController()
  const tell = (thrown: Error) => caller.tell({ name: 'losing' }, 'status', { signal }, () => Promise.reject(thrown))
  await tell(new LeaseLost('ses_one'))
  expect(reported).toEqual([])
  const broken = new Error('it is broken')
  await tell(broken)
  expect(reported).toEqual([['losing', 'status', broken]])
})

test('a reply whose hook was cut short by a stop is not complete', async () => {
  const { answer, asked } = hangingOnce(undefined)
  const { bot, events } = await stoppedIn({ name: 'critic', replyComplete: answer }, asked, ['First.', 'Second.'])
  expect(asked()).toBe(2)
  expect(bot.model.requests).toHaveLength(2)
  expect(JSON.stringify(ofType(events, 'complete'))).not.toContain('First.')
})

test('what a tool says because it was stopped is not its result', async () => {
  let asked = 0
  const tool = defineTool({
    ...{ kind: 'run', name: 'once', description: 'Once.', input: z.strictObject({}), effect: 'external' },
    run(_, { signal }) {
      asked++
      return new Promise((resolve) => signal.addEventListener('abort', () => resolve('I was stopped.')))
    },
  })
  const { events } = await stoppedIn({ name: 'polite', tools: [tool] }, () => asked, ['call', 'I looked.'])
  expect(ofType(events, 'observe').map(({ data }) => data.status)).toEqual(['unknown'])
})

test('a hook that meets an outage is asked again once it is over', async () => {
  let asked = 0
  const userMessage = (text: string): string => {
    if (asked++ === 0) throw away()
    return text.replace('4711', '****')
  }
  const bot = await startTestBot({ plugins: [{ name: 'redacting', userMessage }], script: () => says('Noted.') })
  await bot.chat.say('the number is 4711')
  expect(JSON.stringify(bot.model.requests)).toContain('the number is ****')
  expect(JSON.stringify(bot.model.requests)).not.toContain('4711')
})

test('earlier messages whose reading met an outage are read once it is over', async () => {
  const bot = await startMemoryBot({ script: [says('I see.')] })
  let asked = 0
  bot.memory.misbehave.hold('history', {
    fits() {
      if (asked++ === 0) throw away()
      return false
    },
  })
  const root = await bot.memory.say('ana', 'the harvest was poor')
  await bot.memory.say('ben', '@bobbin what happened?', { in: root })
  await bot.memory.untilAnswered(root, expect.stringContaining('continues by itself'), 'I see.')
  expect(JSON.stringify(bot.model.requests)).toContain('the harvest was poor')
  expect(bot.rows("select data from events where type = 'warning'")).toEqual([])
})
