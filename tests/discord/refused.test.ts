import { describe, expect, onTestFinished, test } from 'vitest'
import { startTestBot, type TestBotOptions } from '../support/bot.ts'
import { type DiscordServer, startDiscordServer } from '../support/discord/server.ts'
import { calls, heldUntil, says } from '../support/model-server.ts'
import { changeIn, rowsIn } from '../support/rows.ts'
import { until } from '../support/until.ts'

/** A whole bot; its clock can be put forward. */
async function open(options: TestBotOptions, server?: DiscordServer) {
  const discord = server ?? (await startDiscordServer())
  const clock = { passed: 0, now: () => Date.now() + clock.passed }
  const environment = { DISCORD_TOKEN: discord.token, DISCORD_API_URL: discord.url }
  const bot = await startTestBot({ environment, clock, config: { engine: { clockMs: 20 } }, ...options })
  onTestFinished(async () => {
    await bot.stop()
    await discord.close()
  })
  await until('the connection', () => discord.gateway.connected > 0)
  /** After hours of refusals the next attempt is an hour away: only Discord's word that things have changed brings it sooner. */
  const afterHours = async (thread: string) => {
    const refused = () =>
      discord.calls.filter(
        ({ path, status }) => path === `/channels/${thread}/messages` && status !== undefined && status >= 400,
      ).length
    await until('a refusal', () => refused() > 0)
    const before = refused()
    clock.passed += 3 * 3_600_000
    await until('another attempt', () => refused() > before)
  }
  return { bot, afterHours, ...acting(discord) }
}

function acting(discord: DiscordServer) {
  const own = (where: string) => {
    try {
      return discord.view(where).filter(({ author }) => author === 'bobbin')
    } catch {
      // The thread is not there yet.
      return []
    }
  }
  return {
    discord,
    own,
    said: (where: string) => own(where).map(({ content }) => content),
    mention: (text: string) => discord.people.post('ana', 'general', `<@${discord.botId}> ${text}`),
  }
}

describe('an answer that Discord refuses', () => {
  test('in a locked thread comes when somebody unlocks it, and whoever asked is told meanwhile', async () => {
    let thread = ''
    const { discord, afterHours, mention, said } = await open({
      script: (_, number) => {
        if (number === 1) discord.people.lockThread(thread)
        return says(number === 0 ? 'Hello.' : 'Here it is.')
      },
    })
    thread = mention('hello')
    await until('the first answer', () => said(thread).includes('Hello.'))
    discord.people.post('ana', thread, 'and now?')
    const direct = discord.people.direct('ana')
    await until('the word', () => said(direct).length > 0)
    expect(said(direct)).toEqual([expect.stringMatching(/couldn’t post my answer .+ the thread is locked.+Unlock/s)])
    expect(said(thread)).toEqual(['Hello.'])

    await afterHours(thread)
    discord.people.unlockThread(thread)
    await until('the answer', () => said(thread).includes('Here it is.'))
    expect(said(thread)).toEqual(['Hello.', 'Here it is.'])
    expect(said(direct)).toHaveLength(1)
    expect(discord.violations).toEqual([])
  })

  test('during an outage comes when the server is there again', async () => {
    const refused = { method: 'POST', path: /messages$/ } as const
    const { discord, afterHours, mention, said } = await open({
      script: (_, number) => {
        const missing = JSON.stringify({ code: 50001, message: 'Missing Access' })
        if (number === 1) {
          discord.misbehave.outage(true)
          discord.misbehave.fail(refused, { kind: 'answer', status: 403, text: missing }, 99)
        }
        return says(number === 0 ? 'Hello.' : 'Here it is.')
      },
    })
    const thread = mention('hello')
    await until('the first answer', () => said(thread).includes('Hello.'))
    discord.people.post('ana', thread, 'and now?')
    await afterHours(thread)
    discord.misbehave.stop()
    discord.misbehave.outage(false)
    await until('the answer', () => said(thread).includes('Here it is.'))
    expect(said(thread)).toEqual(['Hello.', 'Here it is.'])
  })
})

test.each([
  ['comes with a new message', 600_000],
  ['comes with the message that showed the progress', 50],
])('a file that may not be attached is named, and posted later, once: it %s', async (_, firstMs) => {
  const write = calls('write_file', { path: 'outputs/b.txt', content: 'made' })
  const shown = Promise.withResolvers<void>()
  const { discord, own, mention, said } = await open({
    script: [write, heldUntil(shown.promise, says('See b.txt.')), says('Next.')],
    config: { engine: { clockMs: 20 }, show: { firstMs, everyMs: 50 } },
  })
  discord.misbehave.deny('general', 'AttachFiles')
  const thread = mention('make it')
  if (firstMs === 50) await until('the progress', () => own(thread).length > 0)
  shown.resolve()
  const answer = /See b\.txt\..*b\.txt couldn’t be posted: .*I’ll post it here when I can/s
  await until('the answer', () => said(thread).some((text) => answer.test(text)))
  discord.people.post('ana', thread, 'go on')
  await until('the next answer', () => said(thread).includes('Next.'))
  const files = () => own(thread).flatMap(({ attachments }) => attachments.map(({ name, content }) => [name, content]))
  expect(files()).toEqual([])

  discord.misbehave.allow('general', 'AttachFiles')
  await until('the file', () => files().length > 0)
  expect(files()).toEqual([['b.txt', 'made']])
  expect(said(thread).filter((text) => text.includes('couldn’t be posted'))).toHaveLength(1)
})

describe('what was missed', () => {
  test('is read before what was said after it, in its order', async () => {
    const { bot, discord, mention, said } = await open({ script: [says('Hello.'), says('All read.')] })
    const thread = mention('hello')
    await until('the first answer', () => said(thread).includes('Hello.'))

    discord.misbehave.drop(true)
    for (const text of ['alpha', 'beta', 'gamma']) discord.people.post('ana', thread, text)
    discord.misbehave.drop(false)
    discord.misbehave.resume('refuse')
    // The round over all channels takes long, and the thread does not wait for it.
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    const listed = { method: 'GET', path: new RegExp(`threads/archived|channels/(?!${thread})\\d+/messages`) } as const
    discord.misbehave.fail(listed, { kind: 'first', run: () => released }, 1)
    discord.misbehave.disconnect(4000)
    await until('the new session', () => discord.gateway.identifies === 2)
    discord.people.post('ana', thread, 'delta')
    await until('the answer', () => said(thread).includes('All read.'))
    release()

    const read = JSON.stringify(bot.model.requests[1]?.messages)
    const places = ['alpha', 'beta', 'gamma', 'delta'].map((text) => read.lastIndexOf(text))
    expect(places).not.toContain(-1)
    expect(places).toEqual(places.toSorted((a, b) => a - b))
  })

  test('is looked for in direct messages that were used within the days that are set', async () => {
    const { bot, discord, said } = await open({
      script: () => says('Hello.'),
      config: { keep: { catchUpDays: 3 }, engine: { clockMs: 20 } },
    })
    const [recent, old] = ['ana', 'ben'].map((who) => discord.people.direct(who)) as [string, string]
    for (const [who, where] of Object.entries({ ana: recent, ben: old })) discord.people.post(who, where, 'hello')
    await until('both answers', () => [recent, old].every((where) => said(where).includes('Hello.')))
    await bot.stop()
    for (const [days, where] of [
      [2, recent],
      [4, old],
    ] as const)
      changeIn(
        bot.database,
        `update sessions set updated_at = updated_at - ${days * 86_400_000} where thread = '${where}'`,
      )
    const asked = (where: string) => discord.calls.some(({ path }) => path === `/channels/${where}`)
    discord.calls.length = 0
    for (const [who, where] of Object.entries({ ana: recent, ben: old })) discord.people.post(who, where, 'and now?')
    await bot.restart()
    await until('the second answer', () => said(recent).length === 2)
    expect([asked(recent), asked(old)]).toEqual([true, false])
  })

  test('from another bot counts against what it may say, although it is read all at once', async () => {
    const discord = await startDiscordServer()
    const access = { bots: [discord.users.loom ?? ''], botMessages: 2 }
    const config = { access, engine: { clockMs: 20 } }
    const { bot } = await open({ script: () => says('Seen.'), config }, discord)
    await bot.stop()
    for (const nth of [1, 2, 3, 4, 5, 6]) discord.people.post('loom', 'general', `<@${discord.botId}> build ${nth}`)
    await bot.restart()
    const query = "select reason from ignored union all select '' from inbox where kind = 'message'"
    const decided = () => rowsIn(bot.database, query)
    await until('all of it', () => decided().length >= 6)

    expect(decided().filter(({ reason }) => String(reason).includes('access.bot_messages'))).toHaveLength(4)
  })

  test('in an outage of the server is read when it is there again', async () => {
    const { discord, mention, said } = await open({ script: [says('Hello.'), says('And here.')] })
    const thread = mention('hello')
    await until('the first answer', () => said(thread).includes('Hello.'))
    discord.misbehave.outage(true)
    discord.misbehave.drop(true)
    discord.people.post('ana', thread, 'during the outage')
    discord.misbehave.drop(false)

    discord.misbehave.outage(false)
    await until('the answer', () => said(thread).includes('And here.'))
    expect(discord.gateway.identifies).toBe(1)
  })
})
