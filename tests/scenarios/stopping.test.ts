import { expect, test } from 'vitest'
import { isRunning, unruly, untilKnown } from '../mcp/support.ts'
import { type Life, openPlace, type Place } from '../support/bot-process.ts'
import { ofType } from '../support/client.ts'
import { calls, says, slowly } from '../support/model-server.ts'
import { eventually } from '../support/until.ts'

const zod = JSON.stringify(import.meta.resolve('zod'))
/** A tool that goes on for ever, whatever it is told, and keeps the process alive. */
const deaf = `
  import { z } from ${zod}
  export default () => ({ name: 'deaf', tools: [{
    kind: 'run', name: 'deaf', description: 'Listens to nothing.', input: z.strictObject({}), effect: 'external',
    run: () => new Promise(() => setInterval(() => {}, 1_000)),
  }] })`

/** A hook that never comes back. */
const stuck = `
  export default () => ({ name: 'stuck', beforeCall: () => new Promise(() => setInterval(() => {}, 1_000)) })`

/** How a turn's calls ended: the first process is stopped at some point of it, and the second one completes it. */
async function endsAfterStop(place: Place, reached: (life: Life, conversation: string) => Promise<unknown>) {
  const first = await place.start()
  const response = await first.chat.send('go')
  const conversation = response.headers.get('x-conversation-id') ?? ''
  await reached(first, conversation)
  first.signal('SIGTERM')
  expect(await first.ended).toBe(0)
  await response.body?.cancel().catch(() => {})

  const second = await place.start()
  await second.chat.untilType(conversation, 'complete')
  const events = await second.chat.events(conversation)
  second.signal('SIGTERM')
  expect(await second.ended).toBe(0)
  return ofType(events, 'observe').map(({ data }) => data.status)
}

test('a tool that ignores its signal is ended after the grace period, and its outcome is unknown', async () => {
  const place = await openPlace({
    plugin: deaf,
    script: (_, number) => (number === 0 ? calls('deaf', {}) : says('I looked.')),
  })
  const ends = await endsAfterStop(place, ({ chat }, conversation) => chat.untilType(conversation, 'act'))
  expect(ends).toEqual(['unknown'])
})

test('a plug-in whose hook never returns does not keep the process alive', async () => {
  const place = await openPlace({ plugin: stuck, script: [calls('now', {})] })
  const life = await place.start()
  const response = await life.chat.send('go')
  await eventually(() => expect(place.model.requests).toHaveLength(1))
  life.signal('SIGTERM')
  expect(await life.ended).toBe(0)
  await response.body?.cancel().catch(() => {})
})

test.each(['mayCall', 'beforeCall'])(
  'a call whose %s hangs at a stop is no refusal: the next process asks again',
  async (hook) => {
    const plugin = `
    import { existsSync, writeFileSync } from 'node:fs'
    const mark = import.meta.dirname + '/hung'
    export default () => ({
      name: 'slow',
      ${hook}() {
        if (existsSync(mark)) return
        writeFileSync(mark, '')
        console.log('the hook hangs')
        return new Promise(() => {})
      },
    })`
    const place = await openPlace({
      plugin,
      script: (_, number) => (number === 0 ? calls('now', {}) : says('It is noon.')),
    })
    const hangs = (life: Life) => eventually(() => expect(life.said()).toContain('the hook hangs'))
    expect(await endsAfterStop(place, hangs)).toEqual(['done'])
  },
)

test.each([
  ['fails', "async () => { throw new Error('not today') }", 'not today'],
  ['never ends', '() => new Promise(() => {})', 'did not end'],
])('a plug-in whose stop %s is named, and MCP servers end all the same', async (_, stop, why) => {
  const { server, noted } = await unruly({}, 'stubborn')
  const place = await openPlace({
    plugin: `export default () => ({ name: 'broken', stop: ${stop} })`,
    files: { 'mcp_servers.yaml': JSON.stringify({ servers: { x: server } }) },
  })
  const life = await place.start()
  await untilKnown(life.chat)
  life.signal('SIGTERM')
  expect(await life.ended).toBe(0)
  expect(noted('starts').filter(isRunning)).toEqual([])
  expect(life.said()).toMatch(new RegExp(`"capability broken".*${why}`))
})

test('a signal that comes with "ready", or before, ends the process properly', async () => {
  const plugin = `
    console.log('a plug-in is loaded')
    await new Promise((resolve) => setTimeout(resolve, 300))
    export default () => ({ name: 'late' })`
  const place = await openPlace({ plugin, script: () => says('Yes.') })
  const life = await place.start()
  life.signal('SIGTERM')
  expect(await life.ended).toBe(0)
  expect(life.said()).toContain('Stopping')

  const early = place.launch()
  await eventually(() => expect(early.said()).toContain('a plug-in is loaded'))
  early.signal('SIGTERM')
  expect(await early.ended).toBe(0)
})

test('text that streams while the process is told to stop causes no trouble', async () => {
  const words = Array.from({ length: 400 }, (_, place) => `word${place}`).join(' ')
  const place = await openPlace({ script: () => slowly(10, says(words)) })
  const life = await place.start()
  const response = await life.chat.send('go')
  const conversation = response.headers.get('x-conversation-id') ?? ''
  await life.chat.untilType(conversation, 'text_delta')
  life.signal('SIGTERM')
  expect(await life.ended).toBe(0)
  expect(life.said()).not.toMatch(/"level":50/)
  await response.body?.cancel().catch(() => {})
})
