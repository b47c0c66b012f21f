import { expect, test } from 'vitest'
import { startTestBot, type TestBot } from '../support/bot.ts'
import { ofType } from '../support/client.ts'
import { calls, says } from '../support/model-server.ts'
import { rowsIn } from '../support/rows.ts'

const startBot = (places: number, script: Parameters<typeof startTestBot>[0] = {}) =>
  startTestBot({ script: () => says('Done.'), ...script, config: { sections: { skills: { in_thread: places } } } })

const install = (bot: TestBot, name: string, more = '') =>
  fetch(`${bot.chat.url}/api/v1/skills`, {
    method: 'POST',
    body: `---\nname: ${name}\ndescription: About ${name}.\n${more}---\nFollow ${name}.\n`,
  })

const loaded = ({ database }: TestBot) =>
  rowsIn(database, 'select skill from session_skills order by place').map(({ skill }) => skill)

const lastRequest = ({ model }: TestBot) =>
  (model.requests.at(-1)?.messages ?? []).map(({ content }) => String(content)).join('\n')

const full = 'A thread can have 2 skills, so I didn’t load xlsx. To use it, start a new thread, or say `reset`'

test('a reset unloads a thread’s skills, so that others have room', async () => {
  const bot = await startBot(2)
  const { conversation } = await bot.chat.say('Use @pdf and @docx.')
  const refused = await bot.chat.say('Use @xlsx.', { conversation })
  expect(JSON.stringify(refused.events)).toContain(full)
  await bot.chat.say('/reset', { conversation })
  expect(loaded(bot)).toEqual([])
  const { events } = await bot.chat.say('Use @xlsx.', { conversation })
  expect(ofType(events, 'skill_activated').map(({ data }) => data.skills)).toEqual([['xlsx']])
  expect(JSON.stringify(events)).not.toContain('so I didn’t load')
  expect(lastRequest(bot)).toContain('# Skill xlsx')
  expect(lastRequest(bot)).toContain('The section “Skill pdf” no longer applies')
})

test('a skill that was removed takes no place from a person, nor from the model', async () => {
  const bot = await startBot(2, {
    script: [says('One.'), says('Two.'), calls('skill', { name: 'xlsx' }), says('Three.')],
  })
  const remove = (name: string) => fetch(`${bot.chat.url}/api/v1/skills/${name}`, { method: 'DELETE' })
  await install(bot, 'notes')
  await install(bot, 'letters')
  const { conversation } = await bot.chat.say('Use @notes and @letters.')
  await remove('notes')
  await bot.chat.say('Use @docx.', { conversation })
  expect(loaded(bot)).toEqual(['notes', 'letters', 'docx'])
  expect(lastRequest(bot)).toContain('# Skill docx')
  await remove('letters')
  const { events } = await bot.chat.say('Make a table.', { conversation })
  expect(ofType(events, 'skill_activated').map(({ data }) => data.skills)).toEqual([['xlsx']])
  expect(loaded(bot)).toEqual(['notes', 'letters', 'docx', 'xlsx'])
})

test('a match leaves the last quarter of the places to people and the model', async () => {
  const bot = await startBot(4)
  for (const name of ['alpha', 'beta', 'gamma', 'delta']) await install(bot, name, `metadata:\n  triggers: ${name}\n`)
  const { conversation } = await bot.chat.say('About alpha and beta.')
  await bot.chat.say('About gamma.', { conversation })
  const { events } = await bot.chat.say('About delta and alpha.', { conversation })
  expect(ofType(events, 'skill_matched').flatMap(({ data }) => data.skills.map(({ name }) => name))).toEqual(['alpha'])
  expect(loaded(bot).toSorted()).toEqual(['alpha', 'beta', 'gamma'])
  await bot.chat.say('Use @delta.', { conversation })
  expect(loaded(bot)).toContain('delta')
})
