import { exec } from 'node:child_process'
import { chmod, chown, mkdir, readdir, stat, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { openPlace } from '../support/bot-process.ts'
import { calls, says } from '../support/model-server.ts'
import { scratch } from '../support/store.ts'
import { bobbinHere } from './support.ts'

const modeOf = async (path: string) => (await stat(path)).mode & 0o777

/** A data directory that somebody has made. */
async function directoryOf(mode: number): Promise<string> {
  const dataDir = join(await scratch(), 'data')
  await mkdir(dataDir)
  await chmod(dataDir, mode)
  return dataDir
}

async function migrated(dataDir: string): Promise<number> {
  expect(await bobbinHere(dataDir, 'migrate')).toMatchObject({ code: 0, err: '' })
  return modeOf(join(dataDir, 'bobbin.db'))
}

test('whatever a bot creates in a data directory that others can read is private', async () => {
  const plan = { path: 'outputs/plans/plan.md', content: 'secret' }
  const place = await openPlace({ script: [calls('write_file', plan), says('Noted.')] })
  await chmod(place.dataDir, 0o755)
  const bot = await place.start()
  await bot.chat.say('hi')
  const names = await readdir(place.dataDir, { recursive: true })
  expect(names.filter((name) => /^bobbin\.db$|^incoming$|plan\.md$/.test(name))).toHaveLength(3)
  const open = []
  for (const name of names) if ((await modeOf(join(place.dataDir, name))) & 0o077) open.push(name)
  expect(open).toEqual([])
  expect(await modeOf(place.dataDir)).toBe(0o755)
})

test('so is what a restore puts there', async () => {
  const [from, to] = [await directoryOf(0o755), await directoryOf(0o755)]
  await migrated(from)
  await mkdir(join(from, 'workspace'))
  await writeFile(join(from, 'workspace/plan.md'), 'secret')
  expect(await bobbinHere(from, 'backup', join(dirname(from), 'b.tar.gz'))).toMatchObject({ code: 0 })
  expect(await bobbinHere(to, 'restore', join(dirname(from), 'b.tar.gz'))).toMatchObject({ code: 0 })
  for (const name of ['bobbin.db', 'workspace/plan.md']) expect(await modeOf(join(to, name))).toBe(0o600)
})

test('the folder of all workspaces is there, and private, before any program starts', async () => {
  const place = await openPlace()
  await chmod(place.dataDir, 0o755)
  await place.start()
  expect(await modeOf(join(place.dataDir, 'workspace'))).toBe(0o700)
})

test('a directory keeps the mode that it has, and a group that somebody chose its access', async () => {
  for (const [mode, ofDatabase] of [
    [0o750, 0o640],
    [0o2775, 0o640],
    [0o775, 0o600],
    [0o711, 0o600],
  ] as const) {
    const directory = await directoryOf(mode)
    await writeFile(join(directory, '.gitkeep'), '')
    expect([await migrated(directory), (await stat(directory)).mode & 0o7777]).toEqual([ofDatabase, mode])
  }
})

test('doctor says what other users can read, as far as they get', async () => {
  const [dataDir, disk] = [await directoryOf(0o755), join(await scratch(), 'my disk')]
  const place = (name: string) => join(dataDir, name)
  await migrated(dataDir)
  for (const name of ['.env', 'bobbin.db', 'bobbin.db.moved-1', 'index-a.db', '.gitkeep']) {
    await writeFile(place(name), '', { flag: 'a' })
    await chmod(place(name), 0o644)
  }
  await mkdir(disk)
  await symlink(disk, place('workspace'))
  const said = async () => (await bobbinHere(dataDir, 'doctor')).out
  expect(await said()).not.toContain('Every user')
  for (const above of [dirname(dataDir), dirname(disk)]) await chmod(above, 0o755)
  const out = await said()
  const open = ['.env', 'bobbin.db', 'bobbin.db.moved-1', 'index-a.db', 'workspace'].map(place).join(', ')
  expect(out).toContain(`! Every user of this machine can read ${open}.\n`)
  const [, remedy = ''] = /`(chmod o= .*)`/.exec(out) ?? []
  expect(remedy).toBe(`chmod o= ${dataDir} '${disk}'`)
  await promisify(exec)(remedy)
  expect(await said()).not.toContain('Every user')
})

test('before there is a data directory, it says that of the settings', async () => {
  const home = await scratch()
  await chmod(home, 0o755)
  await writeFile(join(home, '.env'), '', { mode: 0o644 })
  const { out } = await bobbinHere(join(home, 'data'), 'doctor', { BOBBIN_HOME: home })
  expect(out).toContain(`! Every user of this machine can read ${join(home, '.env')}.\n`)
})

test.skipIf(process.getuid?.() !== 0)('closing that keeps no bot out that owns only its files', async () => {
  const dataDir = await directoryOf(0o777)
  await chmod(dirname(dataDir), 0o755)
  await chown(dataDir, 65_534, 65_534)
  const [database, settings] = [join(dataDir, 'bobbin.db'), join(dataDir, '.env')]
  await migrated(dataDir)
  await chmod(database, 0o644)
  expect((await bobbinHere(dataDir, 'doctor')).out).toContain(`Close it to them: \`chmod o= ${database}\`.`)
  await writeFile(settings, '', { mode: 0o644 })
  await chown(settings, 65_533, 65_533)
  const remedy = `Make it belong to the user that runs Bobbin, and then close it to others: \`chmod o= ${settings} `
  expect((await bobbinHere(dataDir, 'doctor')).out).toContain(remedy)
})

test('so does the start', async () => {
  const place = await openPlace()
  await writeFile(join(place.dataDir, 'bobbin.db'), '', { mode: 0o644 })
  for (const folder of [place.dataDir, dirname(place.dataDir)]) await chmod(folder, 0o755)
  const bot = await place.start()
  expect(bot.said()).toContain(`Every user of this machine can read ${join(place.dataDir, 'bobbin.db')}. Close it`)
})
