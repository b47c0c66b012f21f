import { expect, test } from 'vitest'
import { logIn } from '../../src/capabilities/mcp/login/log-in.ts'
import { mcpSection } from '../../src/capabilities/mcp/settings.ts'
import { settingsIn } from '../../src/config/section.ts'
import { ofType } from '../support/client.ts'
import { freePort } from '../support/free-port.ts'
import { calls, says } from '../support/model-server.ts'
import { guarded } from './guarded.ts'
import { botWith } from './support.ts'

test('a login from the terminal counts for a running bot, also where only calls need one, and after its tokens were revoked', async () => {
  const { url, good, hello, refreshing } = await guarded()
  refreshing.isOff = true
  Object.assign(hello, { toAnybody: true, listsToAnybody: true })
  const script = [1, 2, 3, 4].flatMap(() => [calls('mcp__x__whoami', {}), says('Done.')])
  const logins = { port: await freePort() }
  const bot = await botWith({ x: { url } }, { script, logins, config: { rules: { approvals: false } } })
  const { conversation, events } = await bot.chat.say('who')
  expect(ofType(events, 'observe')[0]?.data).toMatchObject({
    status: 'failed',
    result: expect.stringContaining('requires a login'),
  })
  const settings = settingsIn(bot.config, mcpSection)
  const server = settings.servers.get('x')
  if (server === undefined) throw new Error('there is no server')
  const logsIn = () => logIn({ name: 'x', server }, bot.config, settings, { show: (address) => void fetch(address) })
  const who = async () => ofType((await bot.chat.say('who', { conversation })).events, 'observe')[0]?.data.result
  expect(await logsIn()).toBe(true)
  expect(await who()).toBe('somebody')
  expect(await logsIn()).toBe(false)

  // Whoever revokes it tells nobody.
  good.clear()
  expect(await who()).toContain('login')
  expect(await logsIn()).toBe(true)
  expect(await who()).toBe('somebody')
})
