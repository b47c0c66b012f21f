import { expect, test } from 'vitest'
import type { Capability } from '../../src/turn/port/capability.ts'
import { startTestBot } from '../support/bot.ts'
import { says } from '../support/model-server.ts'

const secret = 'xoxb-123456789012-abcdefghijkl'

interface Sent {
  instructions: string
  changes: { message: number; text: string }[]
  tools: string[]
}

test('the prompt is shown as the model was sent it, masked, with what changed since and the tools it has now', async () => {
  const noted: Capability = { name: 'noted', promptBuilt: (prompt) => `${prompt}\n\nThe key is ${secret}.` }
  const poet = { description: 'Writes verse.', prompt: 'Answer in verse.', tools: ['read_file'] }
  const bot = await startTestBot({
    script: () => says('Noted.'),
    plugins: [noted],
    config: { sections: { agents: { agents: { poet } } } },
  })
  const { conversation } = await bot.chat.say('hello')
  const sent = () => bot.chat.get<Sent>(`/agent/conversations/${conversation}/prompt`)
  const request = () => bot.model.requests.at(-1)
  const namesSent = () => request()?.tools?.map(({ function: { name } }) => name)

  const first = await sent()
  expect(first.instructions).toContain('The key is ')
  expect(first.instructions).not.toContain(secret)
  expect(`${request()?.messages[0]?.content}`.slice(0, 1_000)).toBe(first.instructions.slice(0, 1_000))
  expect(first.changes).toEqual([])
  expect(first.tools).toEqual(namesSent())

  await bot.chat.say('Use @pdf.', { conversation })
  const told = request()?.messages.find(({ content }) => `${content}`.includes('# Skill pdf'))?.content
  const second = await sent()
  expect(second.instructions).toBe(first.instructions)
  expect(second.changes.map(({ text }) => text)).toEqual([told])
  expect(second.tools).toEqual(namesSent())
  expect(second.tools).toContain('run_skill_script')

  await bot.chat.say('@poet, please.', { conversation })
  const third = await sent()
  expect(third.tools).toEqual(namesSent())
  expect(third.tools.length).toBeLessThan(second.tools.length)
})
