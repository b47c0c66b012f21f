import { expect, test } from 'vitest'
import { until } from '../support/until.ts'
import { openRoom } from './room.ts'

test('who invites the bot is greeted, once, in the first channel where it may write', async () => {
  const { discord, restart, mention } = await openRoom()
  const said = (where: string) => discord.view(where).filter(({ content }) => content.includes('Mention me with what'))
  const posted = () => discord.calls.filter(({ body }) => JSON.stringify(body ?? '').includes('Mention me with what'))
  discord.misbehave.deny('general', 'SendMessages')
  // It has been in this server for a while.
  await mention('ana', 'general', 'hello')
  expect(posted()).toEqual([])

  discord.people.inviteBot()
  const place = await until('the greeting', () =>
    Object.keys(discord.channels).find((one) => one !== '' && said(one).length > 0),
  )
  expect(place).not.toBe('general')

  await restart()
  await mention('ana', 'general', 'are you back?')
  discord.people.inviteBot()
  await mention('ana', 'general', 'and again?')
  expect(posted()).toHaveLength(1)
})
