import { readdirSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import { ChatLogins } from '../../src/capabilities/mcp/login/in-chat.ts'
import { logIn } from '../../src/capabilities/mcp/login/log-in.ts'
import { secretsIn } from '../../src/capabilities/mcp/secrets.ts'
import { mcpSection } from '../../src/capabilities/mcp/settings.ts'
import { settingsIn } from '../../src/config/section.ts'
import { systemClock } from '../../src/kit/clock.ts'
import { ofType } from '../support/client.ts'
import { freePort } from '../support/free-port.ts'
import { calls, says } from '../support/model-server.ts'
import { openStore } from '../support/store.ts'
import { until } from '../support/until.ts'
import { guarded } from './guarded.ts'
import { botWith, untilKnown } from './support.ts'
import { visited } from './visited.ts'

const reversed = (text: string) => [...text].reverse().join('')
const mask = '[secret: the bot’s own x access token]'

/** A server that says something with the token that it was sent, and a bot that is logged in to it. */
async function loggedIn(answer: (token: string) => string) {
  const { url, good, answering } = await guarded()
  answering.with = answer
  const call = () => [calls('mcp__x__whoami', {}), says('Seen.')]
  const config = { rules: { approvals: false } }
  const bot = await botWith(
    { x: { url } },
    {
      script: [...call(), ...call(), says('Heard.')],
      logins: { port: await freePort(), key: 'Kq27Zr81mXw35' },
      config,
    },
  )
  const settings = settingsIn(bot.config, mcpSection)
  const server = settings.servers.get('x')
  if (server === undefined) throw new Error('there is no server')
  await logIn({ name: 'x', server }, bot.config, settings, { show: (address) => void fetch(address) })
  // A failed start is followed by a pause, which the bot keeps.
  await bot.restart()
  await untilKnown(bot.chat)
  return { bot, good }
}

test('a token that an MCP server repeats is masked in any encoding, also after a refresh and a restart', async () => {
  const { bot, good } = await loggedIn((token) => `You are ${token}, or ${reversed(token)}.`)
  const { conversation, events } = await bot.chat.say('who')
  expect(ofType(events, 'observe')[0]?.data.result).toBe(`You are ${mask}, or ${mask}.`)
  const [first = ''] = good
  good.clear()
  const again = await bot.chat.say('who', { conversation })
  expect(ofType(again.events, 'observe')[0]?.data.result).toBe(`You are ${mask}, or ${mask}.`)
  const [second = ''] = good
  expect(second).not.toBe(first)

  await bot.restart()
  const last = await bot.chat.say(`Is it ${reversed(second)}?`, { conversation })
  expect(ofType(last.events, 'message')[0]?.data.text).toBe(`Is it ${mask}?`)
  expect(JSON.stringify(bot.model.requests)).not.toContain(second)
  expect(JSON.stringify(bot.model.requests)).not.toContain(reversed(second))
})

test('those of a login in a thread are known as soon as they come, although it isn’t kept yet', async () => {
  const { named, config, settings, good } = await visited()
  const known: { name: string; value: string }[] = []
  const learn = (more: readonly { name: string; value: string }[]) => void known.push(...more)
  const deps = { config, settings, store: await openStore(), clock: systemClock, learn, kept: async () => {} }
  const logins = new ChatLogins(deps)
  onTestFinished(() => logins.stopAll())
  await fetch((await logins.begin(named, { id: 'ana', name: 'ana' })) ?? '')
  await until('the token', () => known.some(({ value }) => good.has(value)))
  expect(known).toContainEqual(expect.objectContaining({ name: 'x refresh token', value: 'refresh-me' }))
  expect(readdirSync(config.dataDir)).toEqual([])
})

test('what logs in to servers is among the bot’s secrets, if it is in the settings themselves', async () => {
  const { settings } = await visited({ client_secret: 'Yv41Tn90sHk26' })
  const withKey = { ...settings, logins: { key: 'Kq27Zr81mXw35' } }
  expect(secretsIn(withKey, {})).toEqual([
    { name: 'x client secret', value: 'Yv41Tn90sHk26' },
    { name: 'key of MCP logins', value: 'Kq27Zr81mXw35' },
  ])
})
