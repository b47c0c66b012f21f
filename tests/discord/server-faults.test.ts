import type { Client, ClientOptions, TextChannel } from 'discord.js'
import { describe, expect, test } from 'vitest'
import { begunBefore } from '../support/begun-before.ts'
import type { DiscordServerOptions } from '../support/discord/server.ts'
import { holdTime } from '../support/hold-time.ts'
import { connect, raw, startServer, until } from './server-support.ts'

async function inGeneral(options: DiscordServerOptions = {}, rest: ClientOptions['rest'] = {}) {
  const discord = await startServer(options)
  const { client } = await connect(discord, { rest })
  const channel = (await client.channels.fetch(discord.channels.general ?? '')) as TextChannel
  return { discord, client, channel, path: `/channels/${channel.id}/messages` }
}

/** Gives up what gets no answer, but not before it has come. */
async function giveUp({ rest }: Client, send: () => Promise<unknown>, hasCome: () => boolean): Promise<void> {
  const { timeout } = rest.options
  await begunBefore(async (timeoutMs) => {
    rest.options.timeout = timeoutMs
    await expect(send()).rejects.toThrow()
  }, hasCome)
  rest.options.timeout = timeout
}

const contents = (discord: Awaited<ReturnType<typeof startServer>>) =>
  discord.view('general').map(({ content }) => content)

describe('a request', () => {
  test.each(['user', 'global', 'shared', 'cloudflare'] as const)('is limited (%s), and comes again', async (scope) => {
    const { discord, channel } = await inGeneral()
    discord.misbehave.fail({ method: 'POST', path: '/messages' }, { kind: 'rate-limited', retryAfterMs: 50, scope })
    await channel.send('patient')
    expect(contents(discord)).toEqual(['patient'])
    expect(discord.calls.filter(({ method }) => method === 'POST').map(({ status }) => status)).toEqual([429, 200])
  })

  test('limited by Cloudflare has no JSON', async () => {
    const { discord, path } = await inGeneral()
    discord.misbehave.fail({}, { kind: 'rate-limited', retryAfterMs: 1_500, scope: 'cloudflare' })
    const { status, body, headers } = await raw(discord, 'POST', path, { content: 'x' })
    expect([status, body.content, headers.get('retry-after')]).toEqual([429, 'error code: 1015', '1.5'])
  })

  test.each([500, 502, 503])('fails with %d, and comes again', async (status) => {
    const { discord, channel } = await inGeneral()
    discord.misbehave.fail({ method: 'POST' }, { kind: 'status', status }, 2)
    await channel.send('stubborn')
    expect(contents(discord)).toEqual(['stubborn'])
    expect(discord.calls.slice(-3).map((call) => call.status)).toEqual([status, status, 200])
  })

  test.each([{ kind: 'status', status: 500 }, { kind: 'reset' }, { kind: 'hang' }] as const)(
    'is carried out although it failed ($kind)',
    async (fault) => {
      const { discord, client, channel } = await inGeneral({}, { retries: 0 })
      discord.misbehave.fail({ method: 'POST' }, { ...fault, stored: true }, 100)
      const message = { content: 'stored', nonce: 'n1', enforceNonce: true }
      const send = () => channel.send(message)
      if (fault.kind === 'hang') await giveUp(client, send, () => contents(discord).length > 0)
      else await expect(send()).rejects.toThrow()
      discord.misbehave.stop()
      expect(contents(discord)).toEqual(['stored'])
      const again = await send()
      expect(contents(discord)).toEqual(['stored'])
      expect(again.id).toBe(discord.view('general')[0]?.id)
      expect(discord.violations).toEqual([])
    },
  )

  test('is not carried out when it is lost on the way', async () => {
    const { discord, client, channel } = await inGeneral({}, { retries: 0 })
    discord.misbehave.fail({ method: 'POST' }, { kind: 'reset' })
    await expect(channel.send('lost')).rejects.toThrow()
    const isHeld = (body: unknown) => JSON.stringify(body).includes('held')
    discord.misbehave.fail({ method: 'POST', body: isHeld }, { kind: 'hang' }, 100)
    await channel.send('passes')
    await giveUp(
      client,
      () => channel.send('held'),
      () => discord.calls.some(({ body = null }) => isHeld(body)),
    )
    expect(contents(discord)).toEqual(['passes'])
    const statuses = discord.calls.map(({ status }) => status)
    expect(statuses.slice(0, 4)).toEqual([200, undefined, 200, undefined])
  })

  test('is slow', async () => {
    const { discord, channel } = await inGeneral()
    discord.misbehave.fail({ method: 'POST' }, { kind: 'slow', ms: 500 })
    const sent = channel.send('slowly')
    await until(() => expect(discord.calls.at(-1)).toMatchObject({ method: 'POST' }))
    expect(discord.calls.at(-1)?.status).toBeUndefined()
    await sent
    expect(contents(discord)).toEqual(['slowly'])
  })

  test('for a file fails, or brings something else', async () => {
    const { discord } = await inGeneral()
    const id = discord.people.post('ana', 'general', '', { files: [{ name: 'a.txt', content: 'knots' }] })
    const { body } = await raw(discord, 'GET', `/channels/${discord.channels.general}/messages/${id}`)
    const url = body.attachments?.[0]?.url ?? ''
    const path = '/attachments/'
    discord.misbehave.fail({ path }, { kind: 'answer', status: 200, text: '<html>Log in</html>' })
    discord.misbehave.fail({ path }, { kind: 'status', status: 502 })
    discord.misbehave.fail({ path }, { kind: 'reset' })
    const page = await fetch(url)
    expect([await page.text(), page.headers.get('content-type')]).toEqual([
      '<html>Log in</html>',
      'text/html; charset=utf-8',
    ])
    expect((await fetch(url)).status).toBe(502)
    await expect(fetch(url)).rejects.toThrow()
    expect(await (await fetch(url)).text()).toBe('knots')
  })

  test('comes after the message is gone', async () => {
    const { discord, channel } = await inGeneral()
    const sent = await channel.send('short')
    const run = () => discord.people.delete(sent.id)
    discord.misbehave.fail({ method: 'PATCH' }, { kind: 'first', run })
    await expect(sent.edit('long')).rejects.toMatchObject({ code: 10008 })
  })

  test('lacks a permission, until it is given back', async () => {
    const { discord, channel } = await inGeneral()
    discord.misbehave.deny('general', 'SendMessages')
    await expect(channel.send('x')).rejects.toMatchObject({ code: 50013, status: 403 })
    discord.misbehave.deny('general', 'ViewChannel')
    await expect(channel.send('x')).rejects.toMatchObject({ code: 50001, status: 403 })
    discord.misbehave.allow('general', 'ViewChannel')
    discord.misbehave.allow('general', 'SendMessages')
    await channel.send('back')
    expect(contents(discord)).toEqual(['back'])
    expect(discord.violations).toEqual([])
  })

  test('is as before once the trouble is over', async () => {
    const { discord, channel } = await inGeneral()
    discord.misbehave.fail({}, { kind: 'status', status: 500 }, 100)
    discord.misbehave.stop()
    await channel.send('calm')
    expect(contents(discord)).toEqual(['calm'])
  })
})

describe('real limits', () => {
  test('allow five posts in five seconds, and tell so', async () => {
    const { discord, path } = await inGeneral({ limits: true })
    const elsewhere = path.replace(discord.channels.general ?? '', discord.channels.random ?? '')
    holdTime()
    const answers = []
    for (let count = 0; count < 6; count++) answers.push(await raw(discord, 'POST', path, { content: `${count}` }))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 429])
    expect(answers.map(({ headers }) => headers.get('x-ratelimit-remaining'))).toEqual(['4', '3', '2', '1', '0', '0'])
    expect(answers.at(-1)).toMatchObject({ body: { message: 'You are being rate limited.', global: false } })
    expect(answers.at(-1)?.headers.get('x-ratelimit-scope')).toBe('user')
    expect(await raw(discord, 'POST', elsewhere, { content: 'x' })).toMatchObject({ status: 200 })
    discord.misbehave.limit(false)
    expect(await raw(discord, 'POST', path, { content: 'x' })).toMatchObject({ status: 200 })
  })

  test('allow fifty requests in a second', async () => {
    const discord = await startServer({ limits: true })
    const ids = [...Object.values(discord.channels), ...Object.values(discord.users)]
    const paths = Array.from({ length: 200 }, (_, index) =>
      index % 2 === 0 ? `/channels/${ids[index % 6]}` : `/guilds/${discord.guildId}/roles`,
    )
    holdTime()
    const answers = await Promise.all(paths.map((path) => raw(discord, 'GET', path)))
    const limited = answers.filter(({ status }) => status === 429)
    expect(limited).toHaveLength(150)
    expect(limited[0]?.headers.get('x-ratelimit-global')).toBe('true')
  })

  test('allow two new names in ten minutes', async () => {
    const { discord } = await inGeneral({ limits: true })
    const { body } = await raw(discord, 'POST', `/channels/${discord.channels.general}/threads`, {
      name: 'a',
      type: 11,
    })
    const rename = (name: string) => raw(discord, 'PATCH', `/channels/${body.id}`, { name })
    const answers = [await rename('b'), await rename('c'), await rename('d')]
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 429])
    expect(await raw(discord, 'PATCH', `/channels/${body.id}`, { archived: true })).toMatchObject({ status: 200 })
  })

  test('are kept by discord.js by itself', async () => {
    const { discord, channel } = await inGeneral({ limits: true })
    await Promise.all(Array.from({ length: 6 }, (_, index) => channel.send(`${index}`)))
    expect(discord.calls.every(({ status }) => status === 200)).toBe(true)
    expect(contents(discord)).toHaveLength(6)
  })
})
