import { expect, test } from 'vitest'
import { ofType } from '../support/client.ts'
import { freePort } from '../support/free-port.ts'
import { guarded } from './guarded.ts'
import { botWith } from './support.ts'

/** Somebody who talks in a thread with a bot whose server wants a login. */
async function talking() {
  const { url, ...there } = await guarded()
  const bot = await botWith({ x: { url } }, { logins: { port: await freePort() } })
  let conversation: string | undefined
  const say = async (text: string) => {
    const { conversation: thread, events } = await bot.chat.say(text, {
      user: 'ana',
      ...(conversation && { conversation }),
    })
    conversation ??= thread
    return ofType(events, 'message').findLast(({ data }) => data.role === 'assistant')?.data.text ?? ''
  }
  return { ...there, say }
}

const failed = 'The login failed: the server that gives the tokens is away at the moment.'

test('a login in a thread says in whole sentences that the token server is away', async () => {
  const { away, say } = await talking()
  away.at = '/register'
  expect(await say('mcp login x')).toBe(`${failed} Try again later.`)
})

test('so does one that is confirmed after its code got no answer', async () => {
  const { away, say } = await talking()
  const [address = ''] = /http\S+$/.exec(await say('mcp login x')) ?? []
  away.at = '/token'
  const [, code = ''] = /mcp login x (\d{6})/.exec(await (await fetch(address)).text()) ?? []
  expect(await say(`mcp login x ${code}`)).toBe(`${failed} Try again.`)
})
