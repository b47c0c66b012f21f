import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { skillsIn } from '../../src/capabilities/skills/folders.ts'
import { skillsForPrompt } from '../../src/capabilities/skills/session-skills.ts'
import { findSession } from '../../src/store/sessions.ts'
import { startTestBot } from '../support/bot.ts'
import { says } from '../support/model-server.ts'
import { scratch } from '../support/store.ts'
import { storeOf } from '../support/threads.ts'

test('the log has once which folders hold no skill that can be used, and why', async () => {
  const configDir = await scratch()
  const folder = join(configDir, 'skills', 'agent')
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'SKILL.md'), '---\nname: agent\ndescription: Acts.\n---\nAct.\n')
  const bot = await startTestBot({ script: [says('Yes.')] })
  const { conversation } = await bot.chat.say('Hello')
  const store = await storeOf(bot)
  const session = await findSession(store.db, conversation)
  if (session === undefined) throw new Error('there is no session')

  const logged: unknown[] = []
  const report = (what: string, about?: object) => (thrown: unknown) => void logged.push([what, about, thrown])
  const services = { config: { ...bot.config, configDir }, store, report }
  await skillsForPrompt(session, services)
  await skillsForPrompt(session, services)
  const why = expect.stringContaining('@agent is for agents')
  expect(logged).toEqual([['a skill can’t be used', { folder }, why]])
})

test('a folder of skills that isn’t there has none, and one that can’t be read is told', async () => {
  const directory = await scratch()
  const limits = { bytes: 1_000, files: 10 }
  const none = { skills: [], unusable: [] }
  expect(await skillsIn(join(directory, 'skills'), 'operator', limits)).toEqual(none)
  const file = join(directory, 'a file')
  await writeFile(file, '')
  const why = expect.stringContaining('ENOTDIR')
  expect(await skillsIn(file, 'operator', limits)).toEqual({ ...none, unusable: [{ folder: file, why }] })
})
