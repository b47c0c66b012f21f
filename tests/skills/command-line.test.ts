import { spawnSync } from 'node:child_process'
import { mkdir, readdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { scratch } from '../support/store.ts'

const bin = join(import.meta.dirname, '../../src/bin.js')

test('bobbin skills checks, installs, lists and removes', async () => {
  const place = await scratch()
  const config = join(place, 'config')
  const folder = join(place, 'Meeting_Notes')
  await mkdir(config)
  await mkdir(folder)
  await writeFile(
    join(folder, 'SKILL.md'),
    '---\nname: Meeting_Notes\ndescription: Writes minutes.\nauthor: Ana\n---\nBe short.\n',
  )
  const bobbin = (...words: string[]) => {
    const env = { PATH: process.env.PATH, BOBBIN_HOME: place }
    const { stdout, stderr, status } = spawnSync(process.execPath, [bin, 'skills', ...words], {
      env,
      cwd: place,
      encoding: 'utf8',
    })
    return { said: stdout + stderr, status }
  }
  const checked = bobbin('validate', folder)
  expect(checked.status).toBe(1)
  expect(checked.said).toMatch(
    /SKILL\.md:2: warning: The name "Meeting_Notes" must be lowercase\. It can be used all the same\./,
  )
  expect(checked.said).toMatch(/SKILL\.md:4: warning: Unexpected fields.*It breaks 3 rules\./s)
  const nowhere = join(place, 'nowhere')
  expect(JSON.parse(bobbin('validate', nowhere, '--json').said)).toMatchObject({ valid: false })
  expect(bobbin('validate', nowhere)).toEqual({ said: `Path does not exist: ${nowhere}.\n`, status: 1 })

  const reserved = join(config, 'skills', 'agent')
  await mkdir(reserved, { recursive: true })
  await writeFile(join(reserved, 'SKILL.md'), '---\nlicense: MIT\nname: agent\ndescription: Acts.\n---\nAct.\n')
  const refused = bobbin('validate', reserved)
  expect(refused.status).toBe(1)
  expect(refused.said).toContain(
    'SKILL.md:3: error: @agent is for agents, so no skill can have this name. It can’t be used like this.',
  )
  expect(bobbin('install', reserved).said).toContain('@agent is for agents')
  expect(bobbin('list').said).toMatch(/agent can’t be used: @agent is for agents/)
  expect(bobbin('remove', 'agent').status).toBe(0)

  expect(bobbin('install', folder).said).toContain('Installed meeting-notes in')
  // Again, in place of the one that is there.
  await writeFile(
    join(folder, 'SKILL.md'),
    '---\nname: meeting-notes\ndescription: Writes \u202e minutes.\n---\nBe brief.\n',
  )
  expect(bobbin('install', folder).said).toContain('Installed meeting-notes in')
  expect(bobbin('list').said).toMatch(
    /meeting-notes \(from whoever runs Bobbin\)\n {2}Writes \\u\{202e\} minutes\.\npdf /,
  )
  // The bot may run as another user.
  expect((await stat(join(config, 'skills', 'meeting-notes'))).mode & 0o777).toBe(0o777 & ~process.umask())
  expect(await readdir(join(config, 'skills'))).toEqual(['meeting-notes'])
  expect(bobbin('remove', 'meeting-notes').status).toBe(0)
  expect(bobbin('remove', 'pdf').said).toContain('switched off in config/skills.yaml')
})
