import { expect, test } from 'vitest'
import { resultsIn } from '../delegation/support.ts'
import { startTestBot } from '../support/bot.ts'
import { calls, says } from '../support/model-server.ts'

const secret = 'ghp_Xk29sLq81mZpRtVw03YbNcUeHd47JfAo56Gi'
const part = secret.slice(0, 12)

/** A text in which a secret begins shortly before each of these places. */
const cutAt = (...places: number[]): string =>
  places.reduce((text, place) => `${text.padEnd(place - 21, ' word').slice(0, place - 21)} ${secret} `, '')

test('a secret in a skill’s words is masked before they are cut, for the model and for people', async () => {
  const bot = await startTestBot({ script: [says('Noted.')] })
  const text = `---\nname: notes\ndescription: ${cutAt(120, 1_024)}and more\n---\n${cutAt(40_000)}and more\n`
  await fetch(`${bot.chat.url}/api/v1/skills`, { method: 'POST', body: text })
  await bot.chat.say('Note this with @notes.')
  const asked = JSON.stringify(bot.model.requests)
  expect(asked).toMatch(/- notes: .*# Skill notes.*This is only the beginning/)
  expect(asked).not.toContain(part)
  for (const command of ['skills', 'skills notes']) {
    const { events } = await bot.chat.say(command)
    expect(JSON.stringify(events)).toContain('secret: a GitHub')
    expect(JSON.stringify(events)).not.toContain(part)
  }
})

test('what a skill says of itself is shown to people, without what is for the program', async () => {
  const bot = await startTestBot({ script: [says('Noted.')] })
  const metadata = 'version: 1.2\n  tags: [office, letters]\n  triggers: a letter\n  always-shown: Load it first.'
  const text = `---\nname: notes\ndescription: D.\ncategory: writing\nmetadata:\n  ${metadata}\n---\nBody.\n`
  await fetch(`${bot.chat.url}/api/v1/skills`, { method: 'POST', body: text })
  const { events } = await bot.chat.say('skills notes')
  const said = JSON.stringify(events)
  expect(said).toContain('- Its own version: 1.2\\n- What it says of itself: category writing; tags office, letters\\n')
  const shown = await bot.chat.get<{ metadata: object }>('/skills/notes')
  expect(shown.metadata).toMatchObject({ category: 'writing', tags: 'office, letters', version: '1.2' })
})

test('a skill that was removed since isn’t said to be loaded', async () => {
  const again = calls('skill', { name: 'notes' })
  const bot = await startTestBot({ script: [says('Hello.'), again, says('Yes.'), again, says('No.')] })
  const url = `${bot.chat.url}/api/v1/skills`
  const body = '---\nname: notes\ndescription: Keeps notes.\n---\nBe short.\n'
  await fetch(url, { method: 'POST', body })
  const { conversation } = await bot.chat.say('@notes hello')
  await bot.chat.say('Is it loaded?', { conversation })
  expect(resultsIn(bot.model.requests.at(-1)).at(-1)).toContain('notes is loaded already')
  await fetch(`${url}/notes`, { method: 'DELETE' })
  await bot.chat.say('And now?', { conversation })
  expect(resultsIn(bot.model.requests.at(-1)).at(-1)).toContain('There is no skill')
})
