import { readdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { registryFor } from '../../src/capabilities/skills/registry.ts'
import { skillsForPrompt } from '../../src/capabilities/skills/session-skills.ts'
import { skills } from '../../src/capabilities/skills/skills.ts'
import { unreadable } from '../../src/capabilities/skills/team-content.ts'
import type { Finding } from '../../src/domain/finding.ts'
import { Unavailable } from '../../src/kit/failure.ts'
import { startBot } from '../../src/main.ts'
import { findSession } from '../../src/store/sessions.ts'
import { skillHistory, type TeamSkill } from '../../src/store/skills.ts'
import { resultsIn } from '../delegation/support.ts'
import { startTestBot, type TestBot } from '../support/bot.ts'
import { calls, says } from '../support/model-server.ts'
import { sectionsWith } from '../support/shipped.ts'
import { storeOf } from '../support/threads.ts'

const text = '---\nname: pdf\ndescription: Our own.\nallowed-tools: read_file\n---\nOnly read.\n'
const team = { platform: 'console', tenant: 'local', project: '' }

const install = (bot: TestBot) => fetch(`${bot.chat.url}/api/v1/skills`, { method: 'POST', body: text })

async function brokenIn({ config }: TestBot): Promise<Finding[]> {
  const found: Finding[] = []
  for await (const finding of skills.checks?.(config, undefined as never) ?? []) found.push(finding)
  return found.filter(({ mark }) => mark === 'broken')
}

test('a team’s skill is read whatever the limits are by now', async () => {
  const bot = await startTestBot()
  await install(bot)
  const config = { ...bot.config, sections: sectionsWith(bot.config, { skills: { bytes: 20, files: 1 } }) }
  const all = await registryFor(config).of(await storeOf(bot), { ...team, project: 'general' })
  const pdf = all.find(({ name }) => name === 'pdf')
  expect(pdf).toMatchObject({ source: 'team', isOn: true, facts: { body: expect.stringContaining('Only read.') } })
  expect([...((await pdf?.files())?.keys() ?? [])]).toEqual(['SKILL.md'])
})

test('a team’s skill that can’t be read keeps its name and allows nothing, and everybody is told', async () => {
  const rules = { defaults: { read: 'allow', write: 'allow', external: 'allow' } } as const
  const write = calls('write_file', { path: 'a.txt', content: 'a' }, ['list_files', { path: '.' }])
  const run = calls('run_skill_script', { skill: 'pdf', script: 'scripts/info.mjs' })
  const script = [says('Yes.'), write, says('No.'), run, says('Neither.'), says('Now I do.')]
  const bot = await startTestBot({ config: { rules }, script })
  await install(bot)
  const { conversation } = await bot.chat.say('Use @pdf.')
  const store = await storeOf(bot)
  const [row] = await skillHistory(store.db, team, 'pdf')
  const folder = join(bot.dataDir, 'skills', row?.hash ?? '')
  expect(await brokenIn(bot)).toEqual([])

  await bot.stop()
  await rename(folder, `${folder}-away`)
  // As in a new process, nothing that was read is remembered.
  const again = await startBot({ ...bot.config })
  onTestFinished(() => again.stop())
  bot.chat.url = again.url
  await bot.chat.say('Use @pdf again.', { conversation })
  const asked = bot.model.requests[1]?.messages.map(({ content }) => String(content)) ?? []
  expect(asked.at(-2)).toMatch(/# Skill pdf\nThis skill is loaded in this thread, but its files can’t be read/)
  expect(asked.at(-2)).not.toMatch(/^- pdf:|no longer/m)
  const [refused, listed] = resultsIn(bot.model.requests[2])
  expect(refused).toContain(
    'pdf is in use in this turn and can’t be read, so nobody knows whether it allows write_file',
  )
  expect(listed).not.toContain('can’t be read')
  // Its scripts aren't run in turns that don't name it either.
  await bot.chat.say('How many pages?', { conversation })
  const allowsNo = 'can’t be read, so nobody knows whether it allows run_skill_script'
  expect(resultsIn(bot.model.requests[4])).toContainEqual(expect.stringContaining(allowsNo))

  const { events } = await bot.chat.say('skills', { conversation })
  expect(JSON.stringify(events)).toMatch(/These can’t be read.*doctor`:\\n- pdf\\n/)
  expect(await brokenIn(bot)).toEqual([
    expect.objectContaining({ fact: expect.stringMatching(/^The skill pdf, .* can’t be read: Path does not exist/) }),
  ])
  const logged: unknown[] = []
  const report = (what: string, about?: object) => (thrown: unknown) => void logged.push([what, about, thrown])
  const session = await findSession(store.db, conversation)
  if (session === undefined) throw new Error('there is no session')
  const services = { config: { ...bot.config }, store, report }
  for (const _ of [1, 2]) await skillsForPrompt(session, services)
  const why = expect.stringContaining('Path does not exist')
  expect(logged).toEqual([['a skill can’t be read', { skill: 'pdf', hash: row?.hash }, why]])

  await rename(`${folder}-away`, folder)
  await bot.chat.say('And now?', { conversation })
  expect(bot.model.requests[5]?.messages.map(({ content }) => content).join()).toMatch(/.*Only read\..*Only read\./s)
})

test('a skill that can’t be read is neither on nor off, and switching it on says so', async () => {
  const bot = await startTestBot()
  await install(bot)
  const [hash = ''] = await readdir(join(bot.dataDir, 'skills'))
  await writeFile(join(bot.dataDir, 'skills', hash, 'SKILL.md'), 'damaged')
  const { skills: listed } = await bot.chat.get<{ skills: { name: string }[] }>('/skills')
  expect(listed.find(({ name }) => name === 'pdf')).toMatchObject({ is_disabled: false, is_unreadable: true })
  expect(listed.find(({ name }) => name === 'docx')).toMatchObject({ is_disabled: false, is_unreadable: false })
  const said = async (text: string, conversation?: string) => {
    const { events, ...at } = await bot.chat.say(text, conversation === undefined ? {} : { conversation })
    return { ...at, text: JSON.stringify(events) }
  }
  const { conversation, text: on } = await said('skills on pdf')
  expect(on).toContain('pdf is on in this channel. It can’t be read, so it can’t be used.')
  const { text: described } = await said('skills pdf', conversation)
  expect(described).toMatch(/\*\*pdf\*\* – It can’t be read\.\\n- installed for the whole team\\n- Whoever runs Bobbin/)
  expect(await brokenIn(bot)).toEqual([expect.objectContaining({ fact: expect.stringContaining('front matter') })])
})

test('while descriptors are missing, no skill counts as one that can’t be read: the turn waits', () => {
  const row = { name: 'pdf', hash: 'a' } as TeamSkill
  expect(() => unreadable(row, Object.assign(new Error('too many open files'), { code: 'EMFILE' }))).toThrow(
    Unavailable,
  )
  expect(unreadable(row, Object.assign(new Error('permission denied'), { code: 'EACCES' })).unreadable).toBeDefined()
})
