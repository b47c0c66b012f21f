import { describe, expect, test } from 'vitest'
import { Failure } from '../../src/kit/failure.ts'
import { patienceMs } from '../../src/platforms/slack/interactions/commands.ts'
import type { Shown } from '../support/slack/render.ts'
import type { SlackServer } from '../support/slack/server.ts'
import { openBench } from './support.ts'

/** The answer, which a busy machine gives after the acknowledgement. */
const answered = (server: SlackServer, words: string): Promise<Shown> =>
  server.until(() => server.view('general').find(({ text }) => text === words))

describe.each([{ http: false }, { http: true }])('a slash command (%o)', ({ http }) => {
  test('about the channel is carried out, and answered to who gave it', async () => {
    await using bench = await openBench({ http })
    const { server, sink } = bench
    sink.onCommand = async ({ name, argument }) => `${name} ${argument}`
    const given = await server.people.slash('ana', '/bobbin', ' why  https://x.example/1 ', 'general')
    expect(given).toMatchObject({ acked: true })
    const answer = await answered(server, 'why https://x.example/1')
    expect(answer).toMatchObject({ ephemeralTo: server.user('ana') })
    expect(sink.commands).toMatchObject([
      {
        name: 'why',
        argument: 'https://x.example/1',
        thread: undefined,
        project: server.channel('general'),
        person: { name: 'ana' },
      },
    ])
    expect(server.violations).toEqual([])
  })

  test('without words asks for help; one about a thread is left to the core as well', async () => {
    await using bench = await openBench({ http })
    const { server, sink } = bench
    sink.onCommand = async ({ name }) => `- \`${name}\``
    await server.people.slash('ana', '/bobbin', '', 'general')
    expect(await answered(server, '- `help`')).toMatchObject({ blocks: [{ text: '- `help`' }] })
    await server.people.slash('ana', '/bobbin', 'STATUS now', 'general')
    expect(sink.commands).toMatchObject([{ name: 'help' }, { name: 'status', argument: 'now', thread: undefined }])
    expect(server.violations).toEqual([])
  })

  test('that fails for a reason says the reason', async () => {
    await using bench = await openBench({ http })
    const { server, sink } = bench
    sink.onCommand = async () => {
      throw new Failure('unknown', 'There is no such thing.', 'Ask for help.')
    }
    await server.people.slash('ana', '/bobbin', 'why', 'general')
    await answered(server, 'There is no such thing. Ask for help.')
  })
})

test('a slow slash command is acknowledged in time and answered afterwards', async () => {
  await using bench = await openBench()
  const { server, sink } = bench
  const { promise, resolve } = Promise.withResolvers<string>()
  sink.onCommand = () => promise
  expect(await server.people.slash('ana', '/bobbin', 'list', 'general')).toMatchObject({ acked: true })
  // Slack waits 3 s.
  expect(patienceMs).toBeLessThan(2_500)
  resolve('Here they are.')
  await server.until(() => server.view('general').some(({ text }) => text === 'Here they are.'))
  expect(server.violations).toEqual([])
})

test('a slash command that fails after its acknowledgement is answered all the same', async () => {
  await using bench = await openBench()
  const { server, sink, log } = bench
  const { promise, reject } = Promise.withResolvers<string>()
  sink.onCommand = () => promise
  expect(await server.people.slash('ana', '/bobbin', 'resume 01ab', 'general')).toMatchObject({ acked: true })
  reject(new Error('the database does not answer'))
  expect(await answered(server, 'That didn’t work. Try again.')).toMatchObject({ ephemeralTo: server.user('ana') })
  expect(log.filter((line) => line.includes('the database does not answer'))).toHaveLength(1)
  expect(server.violations).toEqual([])
})

test('a slash command of somebody from another workspace says so, however slowly Slack tells it', async () => {
  await using bench = await openBench({ pace: { nameMs: 10 } })
  const { server, sink } = bench
  server.world.person('cleo').team = 'T0PARTNER'
  server.misbehave.slow('users.info', 300)
  await server.people.slash('cleo', '/bobbin', 'stop', 'general')
  await server.idle()
  expect(sink.commands).toMatchObject([{ name: 'stop', person: { id: server.user('cleo'), outside: true } }])
})

test('a slash command of somebody whom Slack says nothing about does not count as a member’s', async () => {
  await using bench = await openBench()
  const { server, sink } = bench
  server.misbehave.refuse('users.info', 'user_not_found', { times: 10 })
  await server.people.slash('ana', '/bobbin', 'stop', 'general')
  await server.idle()
  expect(sink.commands).toMatchObject([{ name: 'stop', person: { outside: true, unchecked: true } }])
})

test('a slash command is acknowledged in time, even if Slack takes long to say whose it is', async () => {
  await using bench = await openBench()
  const { server, sink } = bench
  sink.onCommand = async () => 'Here they are.'
  server.misbehave.slow('users.info', patienceMs + 500)
  expect(await server.people.slash('ana', '/bobbin', 'list', 'general')).toMatchObject({ acked: true })
  await server.until(() => server.view('general').some(({ text }) => text === 'Here they are.'))
  expect(server.violations).toEqual([])
})
