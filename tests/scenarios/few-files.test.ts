import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { unruly, untilKnown } from '../mcp/support.ts'
import { type Life, openPlace } from '../support/bot-process.ts'
import { ofType, readEvents } from '../support/client.ts'
import { calls, type RequestBody, says, slowly } from '../support/model-server.ts'
import { eventually } from '../support/until.ts'

const count = 200

/** Each turn writes and looks; asked to, it runs a command; then it answers. */
function script({ messages }: RequestBody) {
  const results = messages.filter(({ role }) => role === 'tool').length
  if (results === 0) return calls('write_file', { path: 'outputs/a.txt', content: 'a' }, ['list_files', { path: '.' }])
  const runs = messages.some(({ content }) => `${content}`.includes('@run_command go'))
  if (results === 2 && runs) return calls('run_command', { command: 'cat outputs/a.txt' })
  return slowly(20, says('one two three four'))
}

/** As a client on a poor network: again until the first event is there. One that does not stay hears nothing more. */
async function say(life: Life, number: number, text: string, stays: boolean): Promise<string> {
  for (;;) {
    const leaving = new AbortController()
    const response = await fetch(`${life.chat.url}/api/v1/agent/chat`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'idempotency-key': `k${number}` },
      body: JSON.stringify({ message: `${text} ${number}` }),
      signal: leaving.signal,
    }).catch(() => undefined)
    const events = response?.ok ? readEvents(response) : undefined
    const first = await events?.next().catch(() => undefined)
    if (!stays || first?.value === undefined) leaving.abort()
    if (first?.value !== undefined) return first.value.conversation_id
    await sleep(50)
  }
}

// Not both at once: commands wait for those who look on, as docs/architecture.md says.
test.each([
  ['of people who stay and look on', 'go', true, 0],
  ['of people who leave, a quarter of them with a command', '@run_command go', false, count / 4],
])(
  `with 256 descriptors, ${count} messages at once, each sent until it is taken, are all answered: %s`,
  async (_, text, stays, commands) => {
    const place = await openPlace({ through: ['sh', '-c', 'ulimit -n 256; exec "$@"', 'sh'], script })
    const life = await place.start()
    expect(await readFile(`/proc/${life.pid}/limits`, 'utf8')).toMatch(/^Max open files +256 +256 /m)
    const saying = Array.from({ length: count }, (_, number) =>
      say(life, number, number % 4 === 0 ? text : 'go', stays),
    )
    const conversations = await Promise.all(saying)
    expect(new Set(conversations).size).toBe(count)
    const endings = new Set<string>()
    let ran = 0
    for (const conversation of conversations) {
      const events = await eventually(async () => {
        const found = await life.chat.events(conversation)
        expect(found.some(({ type }) => ['complete', 'error', 'waiting'].includes(type))).toBe(true)
        return found
      }, 600_000)
      const observed = ofType(events, 'observe')
      ran += observed.filter(({ data }) => data.tool_name === 'run_command').length
      const failed = observed.filter(({ data }) => data.status !== 'done')
      const ended = events.filter(({ type }) => ['complete', 'error', 'waiting'].includes(type))
      endings.add(JSON.stringify([ended.map(({ type }) => type), failed.map(({ data }) => data.result.slice(0, 100))]))
    }
    expect([...endings]).toEqual(['[["complete"],[]]'])
    expect(ran).toBe(commands)
  },
  1_200_000,
)

/** Takes all descriptors just before one of these calls starts a program, and gives them back right after that. */
const greedy = `
  import { subscribe } from 'node:diagnostics_channel'
  import { closeSync, openSync } from 'node:fs'
  let isNext = false
  subscribe('child_process', () => {
    if (!isNext) return
    isNext = false
    const taken = []
    try {
      for (;;) taken.push(openSync('/dev/null'))
    } catch {}
    setImmediate(() => taken.forEach(closeSync))
  })
  export default () => ({ name: 'greedy', beforeCall({ tool, input }) {
    isNext = tool === 'read_file' || input.text === 'one'
  } })`

test('a program that finds no descriptor left does not end the bot: a reader waits, an MCP server is tried again', async () => {
  const { server } = await unruly({ scope: 'session' })
  const file = (number: number) => ({ path: `outputs/${number}.rtf`, content: `{\\rtf1 text ${number}}` })
  const place = await openPlace({
    through: ['sh', '-c', 'ulimit -n 256; exec "$@"', 'sh'],
    plugin: greedy,
    files: { 'mcp_servers.yaml': JSON.stringify({ servers: { x: server } }) },
    script: [1, 2].flatMap((number) => [
      calls('write_file', file(number)),
      calls('read_file', { path: file(number).path }),
      calls('mcp__x__echo', { text: 'one' }),
      calls('mcp__x__echo', { text: 'two' }),
      says('Done.'),
    ]),
  })
  const life = await place.start()
  await untilKnown(life.chat)
  // The second time, it is known already how readers are contained.
  for (const number of [1, 2]) {
    const { events } = await life.chat.say('go')
    const [, read, first, second] = ofType(events, 'observe').map(({ data }) => `${data.status} ${data.result}`)
    expect(read).toMatch(new RegExp(`^done [^]*text ${number}`))
    expect(first).toMatch(/^failed .*cannot be started: .*EMFILE/)
    expect(second).toBe('done echo: two')
  }
})

/** Takes all descriptors once the bot is ready, and gives them back when it is told to. */
const hungry = `
  import { closeSync, openSync } from 'node:fs'
  const taken = []
  process.on('SIGUSR2', () => taken.splice(0).forEach(closeSync))
  const write = process.stdout.write.bind(process.stdout)
  process.stdout.write = (text, ...rest) => {
    try {
      while (String(text).startsWith('Model:')) taken.push(openSync('/dev/null'))
    } catch {}
    return write(text, ...rest)
  }
  export default () => ({ name: 'hungry' })`

test('a bot that finds no descriptor when it looks at its model after the start goes on', async () => {
  const through = ['sh', '-c', 'ulimit -n 256; exec "$@"', 'sh']
  const place = await openPlace({ through, plugin: hungry, script: [says('Here.')] })
  const life = await place.start()
  const told = () => expect(life.said()).toContain('looking at the sandbox and the model failed')
  await Promise.race([eventually(async () => told()), life.ended])
  life.signal('SIGUSR2')
  // Until there are descriptors again, connections are closed at once.
  await Promise.race([eventually(() => fetch(`${life.chat.url}/healthz`)), life.ended])
  expect((await life.chat.say('are you there?')).text).toBe('Here.')
})

test('code that cannot be loaded because no descriptor is left is loaded later: whoever needs it may wait', async () => {
  const kit = resolve(import.meta.dirname, '../../src/kit')
  const program = `
    import { closeSync, openSync } from 'node:fs'
    import { asUnavailable } from ${JSON.stringify(join(kit, 'unavailable.ts'))}
    const load = () => import(${JSON.stringify(join(kit, 'sandbox/late.ts'))})
    const taken = []
    try {
      for (;;) taken.push(openSync('/dev/null'))
    } catch {}
    const thrown = await load().catch((thrown) => thrown)
    taken.forEach(closeSync)
    console.log(asUnavailable(thrown)?.code, typeof (await load()).lateSandbox)`
  const told = await promisify(execFile)('sh', [
    '-c',
    'ulimit -n 64; exec "$0" --input-type=module -e "$1"',
    process.execPath,
    program,
  ])
  expect(told.stdout).toBe('too_many_files function\n')
})
