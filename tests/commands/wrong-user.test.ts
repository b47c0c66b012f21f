import { chmod, cp } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { launch, unprivileged } from '../backup/support.ts'
import { layDatabase } from '../support/sqlite-template.ts'
import { scratch } from '../support/store.ts'
import { bobbinHere } from './support.ts'

test.each([['token list'], ['sessions']])(
  '%s, as a user who may not see the data, ends in a sentence',
  async (line) => {
    const dataDir = await scratch()
    await chmod(dataDir, 0)
    onTestFinished(() => chmod(dataDir, 0o700))
    const { ended, said } = launch(dataDir, line.split(' '), unprivileged)
    expect(await ended).toBe(1)
    expect(said()).toMatch(
      /^\S+bobbin\.db can’t be read: EACCES[^\n]+\. Run this as the user that runs Bobbin[^\n]*\.\n$/,
    )
  },
)

test.each([
  [
    'its directory may not be entered',
    '.',
    0,
    '✗ DATABASE can’t be read: EACCES',
    'Run this as the user that runs Bobbin',
  ],
  [
    'its directory may not be written',
    '.',
    0o500,
    '✗ The data directory DIRECTORY can’t be written',
    'Make it writable',
  ],
  [
    'it may not be read',
    'bobbin.db',
    0,
    '✗ Bobbin’s database can’t be opened.',
    'Make the data directory and bobbin.db',
  ],
  ['it may not be written', 'bobbin.db', 0o400, '✗ The database DATABASE can’t be written: EACCES', 'Make it writable'],
])('doctor, if %s, says so, and not to restore a backup', async (_, name, mode, fact, remedy) => {
  const dataDir = await scratch()
  const database = join(dataDir, 'bobbin.db')
  await layDatabase(database)
  await chmod(join(dataDir, name), mode)
  onTestFinished(() => chmod(dataDir, 0o700))
  const { ended, said } = launch(dataDir, ['doctor'], unprivileged)
  expect(await ended).toBe(1)
  expect(said()).toContain(fact.replace('DATABASE', database).replace('DIRECTORY', dataDir))
  expect(said()).toContain(remedy)
  expect(said()).not.toMatch(/from a backup|There is no database yet/)
})

test.each([['skills install skills/pdf'], ['skills remove mine'], ['config schemas']])(
  '%s, as a user who may only read the configuration, ends in a sentence that names it',
  async (line) => {
    const config = await scratch()
    const ours = join(config, 'skills')
    await cp('skills/pdf', join(ours, 'mine'), { recursive: true })
    for (const folder of [join(ours, 'mine'), ours, config]) await chmod(folder, 0o500)
    onTestFinished(async () => {
      for (const folder of [config, ours, join(ours, 'mine')]) await chmod(folder, 0o700)
    })
    const { ended, said } = launch(await scratch(), line.split(' '), [
      ...unprivileged,
      'env',
      `BOBBIN_CONFIG_DIR=${config}`,
    ])
    expect(await ended).toBe(1)
    expect(said()).toMatch(
      /^The configuration directory \S+ can’t be used: EACCES[^\n]+\. Run this as its owner[^\n]+\n$/,
    )
    expect(said()).toContain(config)
  },
)

test('a token for a bot that isn’t there is refused, and where it was looked for is said', async () => {
  const dataDir = await scratch()
  const { code, err } = await bobbinHere(dataDir, 'token', 'new')
  expect({ code, err }).toEqual({
    code: 1,
    err: expect.stringContaining(`There is no database at ${dataDir}/bobbin.db`),
  })
})
