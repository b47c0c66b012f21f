import { expect, test } from 'vitest'
import { openRoom } from './room.ts'
import { answer, posting, say } from './stub.ts'

// Without the permission, Discord lists no messages, as if there were none.
const mayNotRead = { again: 'repairable', message: 'the bot may not read the message history' }

test('where the history may not be read, nobody knows whether something was posted', async () => {
  const room = await openRoom({ server: { nonceMemoryMs: 0 } })
  const { discord, mention } = room
  const { thread } = await mention('ana', 'general', 'hello')
  await say(room.platform, thread, 'First.')
  const how = posting('answer-1.0')
  discord.misbehave.fail({ method: 'POST', path: /messages$/ }, { kind: 'reset', stored: true })
  await room.platform.post(thread, room.platform.pages(answer('Hello.'))[0], how).catch(() => {})
  await room.restart()
  discord.misbehave.deny('general', 'ReadMessageHistory')

  await expect(room.platform.find(thread, how.again())).rejects.toMatchObject(mayNotRead)
  discord.misbehave.allow('general', 'ReadMessageHistory')
  expect(await room.platform.find(thread, how.again())).toBe(discord.view(thread.thread)[1]?.id)
})

test('a thread whose history may not be read is not taken for one without history', async () => {
  const { discord, mention, platform } = await openRoom()
  const thread = discord.people.createThread('ana', 'general', 'report')
  discord.people.post('ben', thread, 'in the drawer')
  const heard = await mention('ana', thread, 'what do you think?')
  discord.misbehave.deny('general', 'ReadMessageHistory')
  await expect(platform.history(heard.thread, heard.dedupKey, 50)).rejects.toMatchObject(mayNotRead)

  discord.misbehave.deny('general', 'ViewChannel')
  const hidden = { message: 'the bot may not see the channel' }
  await expect(platform.history(heard.thread, heard.dedupKey, 50)).rejects.toMatchObject(hidden)
})
