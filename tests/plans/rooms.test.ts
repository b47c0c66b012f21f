import { expect, test } from 'vitest'
import { openDiscord } from '../contract/discord-driver.ts'
import type { OpenDriver, Seen } from '../contract/driver.ts'
import { openSlack } from '../contract/slack-driver.ts'
import { long } from '../delegation/support.ts'
import { hang, heldUntil, says } from '../support/model-server.ts'
import { makes, planning, step } from './support.ts'

const rooms: [name: string, open: OpenDriver][] = [
  ['Slack', openSlack('socket')],
  ['Discord', openDiscord],
]

const steps = [
  step('read the first'),
  step('read the second'),
  step('read the third'),
  step('compare', { after: [1, 2] }),
  step('sum up', { after: [4] }),
]

const asks = ({ cards }: Seen) => cards.some(({ outcome }) => outcome === undefined)

test.each(rooms)('in %s people change a plan, agree to it, and watch its steps in one message', async (name, open) => {
  const last = Promise.withResolvers<void>()
  const script = planning([makes(steps), says('Put together.')], (about) => {
    const reply = says(long(`Result of ${about}.`))
    return about === 'sum up' ? heldUntil(last.promise, reply) : reply
  })
  const bot = await open(script)
  const thread = await bot.mention('ana', 'compare the offers')
  const { cards } = await thread.until(asks)
  expect(cards).toMatchObject([{ choices: ['Run it', 'Run one step at a time', 'Don’t run it'] }])
  expect(await thread.cardText({})).toContain('4. compare (after 1, 2)')
  // In the card's form, and in the thread.
  await thread.write('ana', 'drop 3')
  await thread.until((seen) => seen.cards.length === 2 && asks(seen))
  expect(await thread.cardText({})).toContain('3. compare (after 1, 2)')
  await thread.say('ben', '2 before 1; 3: in euros')
  await thread.until((seen) => seen.cards.length === 3 && asks(seen))
  const changed = await thread.cardText({})
  expect(changed).toContain('because it has been changed')
  expect(changed).toMatch(/1\. read the second\s+2\. read the first\s+3\. compare \(after 1, 2; “in euros”\)/)
  expect(await thread.click('ana', 'Run it')).toBe('taken')
  const { progress } = await thread.until((seen) => seen.progress.some((text) => /✓ 3\. compare/.test(text)))
  expect(progress).toHaveLength(1)
  expect(progress[0]).toContain('4. sum up')
  // A step and the call that works for it are one line.
  expect(progress[0]?.match(/sum up/g)).toHaveLength(1)
  last.resolve()
  // In Discord the plan keeps its message.
  const kept = name === 'Slack' ? [] : ['4 of 4 steps done']
  const { posts } = await thread.until(
    (seen) =>
      seen.posts.some(({ text }) => text.includes('Put together.')) &&
      seen.progress.length === kept.length &&
      kept.every((words) => seen.progress[0]?.includes(words)),
  )
  // In Slack a live message that was open when the card was asked stays, too.
  expect(posts.filter(({ text }) => /Put together|Result of/.test(text))).toHaveLength(1)
})

test.each(rooms)('in %s a stopped plan says which steps never ran', async (_, open) => {
  const bot = await open(planning([makes([step('find it'), step('use it', { after: [1] })])], () => hang()))
  const thread = await bot.mention('ana', 'go')
  await thread.until(({ progress }) => progress.some((text) => text.includes('2. use it')))
  await thread.stop('ana')
  const { posts, progress } = await thread.until((seen) =>
    ['Stopped by', 'not run'].every((words) => JSON.stringify(seen).includes(words)),
  )
  const shown = [...posts.map(({ text }) => text), ...progress].join('\n').replaceAll('\\', '')
  expect(shown).toContain('2. use it (not run)')
  expect(shown).not.toContain('find it (not run)')
})
