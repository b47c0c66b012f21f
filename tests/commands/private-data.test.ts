import { chmod, mkdir, readdir, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
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

test('the folder that git made is closed, and a group that somebody chose keeps its access', async () => {
  const ofClone = await directoryOf(0o755)
  await writeFile(join(ofClone, '.gitkeep'), '')
  expect([await migrated(ofClone), await modeOf(ofClone)]).toEqual([0o600, 0o700])
  for (const [mode, ofDatabase] of [
    [0o750, 0o640],
    [0o2775, 0o640],
    [0o775, 0o600],
  ] as const) {
    const shared = await directoryOf(mode)
    expect([await migrated(shared), (await stat(shared)).mode & 0o7777]).toEqual([ofDatabase, mode])
  }
})

test('doctor says what other users can read, as far as they get', async () => {
  const dataDir = await directoryOf(0o755)
  const [database, settings] = [join(dataDir, 'bobbin.db'), join(dataDir, '.env')]
  await migrated(dataDir)
  await writeFile(settings, 'BOBBIN_PORT=0\n')
  await mkdir(join(dataDir, 'workspace'))
  for (const path of [database, settings]) await chmod(path, 0o644)
  const said = async () => (await bobbinHere(dataDir, 'doctor')).out
  expect(await said()).not.toContain('Every user')
  await chmod(dirname(dataDir), 0o755)
  const out = await said()
  for (const open of [`${database} ${join(dataDir, 'workspace')}`, settings]) {
    expect(out).toContain(`! Every user of this machine can read ${open}.\n`)
    expect(out).toContain(`chmod -R o= ${open}`)
  }
})
