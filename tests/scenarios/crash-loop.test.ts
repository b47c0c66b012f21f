import { expect, test } from 'vitest'
import { type Life, openPlace, type Place } from '../support/bot-process.ts'
import { ofType } from '../support/client.ts'
import { calls, type RequestBody, says } from '../support/model-server.ts'
import { eventually } from '../support/until.ts'

/** A tool that takes the process down, one that takes its time, and a hook that does not survive a word of the model's. */
const killer = `
  import { setTimeout as sleep } from 'node:timers/promises'
  import { z } from ${JSON.stringify(import.meta.resolve('zod'))}
  const tool = (name, run) => ({
    kind: 'run', name, description: name, input: z.strictObject({}), effect: 'read', repeatable: true, run,
  })
  const kill = () => void process.kill(process.pid, 'SIGKILL')
  export default () => ({
    name: 'killer',
    tools: [tool('kill', kill), tool('slow', async () => { await sleep(300); return 'slept' })],
    text(delta) { if (delta.includes('deadly')) kill() },
  })`

const said = ({ messages }: RequestBody): string => messages.map(({ content }) => `${content}`).join('\n')

/** By the first word of what a person said. */
function script(body: RequestBody) {
  if (said(body).includes('a deadly tool')) return calls('kill', {})
  if (said(body).includes('a fatal word')) return says('a deadly word')
  return said(body).includes('slept') ? says('Fine.') : calls('slow', {})
}

async function open(life: Life, text: string): Promise<string> {
  const response = await life.chat.send(text)
  void response.text().catch(() => {})
  return response.headers.get('x-conversation-id') ?? ''
}

/** Starts it until it has ended every turn. Resolves with that life, and how many died before. */
async function untilItLives(place: Place, conversations: string[]): Promise<{ life: Life; deaths: number }> {
  for (let deaths = 0; ; deaths++) {
    const life = place.launch()
    let isDead = false
    void life.ended.then(() => {
      isDead = true
    })
    const over = life.ready.then(() =>
      eventually(async () => {
        if (isDead) return
        for (const conversation of conversations)
          expect((await life.chat.events(conversation)).at(-1)?.data).toMatchObject({ role: 'assistant' })
      }),
    )
    over.catch(() => {})
    if ((await Promise.race([over.then(() => (isDead ? life.ended : 'lives')), life.ended])) !== 'SIGKILL')
      return { life, deaths }
    if (deaths > 10) throw new Error(life.said())
  }
}

test.each([
  ['a tool', 'a deadly tool'],
  ['the model call', 'a fatal word'],
])('a turn whose step kills the process each time ends after three; the others go on: %s', async (_, deadly) => {
  const place = await openPlace({ plugin: killer, script })
  const first = await place.start()
  const harmless = []
  for (let place = 0; place < 3; place++) harmless.push(await open(first, `harmless ${place}`))
  const killing = await open(first, deadly)
  expect(await first.ended).toBe('SIGKILL')

  const { life, deaths } = await untilItLives(place, [killing, ...harmless])
  expect(deaths).toBe(2)
  const [error] = ofType(await life.chat.events(killing), 'error')
  expect(error?.data).toMatchObject({
    code: 'process_died',
    message: expect.stringContaining('crashed 3 times in a row'),
  })
  expect(life.said()).toContain('crashed 3 times in a row')
  for (const conversation of harmless) {
    const events = await life.chat.events(conversation)
    expect(ofType(events, 'complete').map(({ data }) => data.content)).toEqual(['Fine.'])
  }
  expect((await life.chat.say('and again')).text).toBe('Fine.')
})

test('being told to stop is not a crash, however often', async () => {
  const place = await openPlace({ plugin: killer.replace('sleep(300)', 'sleep(1e9)'), script })
  let life = await place.start()
  const conversation = await open(life, 'harmless')
  for (let end = 0; end < 3; end++) {
    await life.chat.until(
      conversation,
      ({ type, data }) => type === 'act' && (data as { attempt: number }).attempt === end + 1,
    )
    life.signal('SIGTERM')
    expect(await life.ended).toBe(0)
    life = await place.start()
  }
  expect(ofType(await life.chat.events(conversation), 'error')).toEqual([])
})
