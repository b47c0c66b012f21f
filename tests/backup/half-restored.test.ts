import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { bobbinHere } from '../commands/support.ts'
import { layDatabase } from '../support/sqlite-template.ts'
import { scratch } from '../support/store.ts'
import { launch, standingStillAt } from './support.ts'

const files = 20

/** A backup of a bot with many files in one thread. */
async function archive(): Promise<string> {
  const dataDir = await scratch()
  await layDatabase(join(dataDir, 'bobbin.db'))
  await mkdir(join(dataDir, 'workspace/ses_1'), { recursive: true })
  for (let number = 0; number < files; number++)
    await writeFile(join(dataDir, `workspace/ses_1/${number}`), `${number}`)
  const file = join(await scratch(), 'a.tar.gz')
  expect(await bobbinHere(dataDir, 'backup', file)).toMatchObject({ code: 0, err: '' })
  return file
}

/** A restore that is in the middle of its files. */
async function begun(there: string, file: string) {
  const restoring = launch(there, ['restore', file], standingStillAt(files / 2))
  await restoring.untilStill()
  return restoring
}

test.each([
  ['migrate', ['migrate']],
  ['move', ['move', '--to', 'sqlite']],
])('%s makes no database where a restore isn’t finished', async (command, args) => {
  const [file, there] = [await archive(), await scratch()]
  const killed = await begun(there, file)
  killed.kill()
  await killed.ended
  const onPostgres = { DATABASE_URL: 'postgres://nobody@localhost:1/x', BOBBIN_NODE: 'a' }
  const { code, err } = await bobbinHere(there, ...args, command === 'move' ? onPostgres : {})
  expect([code, err]).toEqual([1, expect.stringContaining('Run the same `bobbin restore` again')])
  expect(await readdir(there)).toEqual(['.restoring'])
})

test('a database that somebody has made meanwhile isn’t taken for the restored one, and isn’t removed', async () => {
  const [file, there] = [await archive(), await scratch()]
  const killed = await begun(there, file)
  killed.kill()
  await killed.ended
  await layDatabase(join(there, 'bobbin.db'))
  expect((await bobbinHere(there, 'migrate')).err).toContain('isn’t finished')
  expect((await bobbinHere(there, 'restore', file)).err).toContain('isn’t empty: it has')
  expect((await readdir(there)).toSorted()).toEqual(['.restoring', 'bobbin.db'])
  await rm(join(there, 'bobbin.db'))
  expect(await bobbinHere(there, 'restore', file)).toMatchObject({ code: 0, err: '' })
  expect(await readdir(join(there, 'workspace/ses_1'))).toHaveLength(files)
})

test('a restore into a directory into which another one restores is refused, and doesn’t disturb it', async () => {
  const [file, there] = [await archive(), await scratch()]
  const first = await begun(there, file)
  const { code, err } = await bobbinHere(there, 'restore', file)
  expect([code, err]).toEqual([1, expect.stringContaining(`Another restore into ${there} is running.`)])
  first.goOn()
  expect(await first.ended).toBe(0)
  expect(await readdir(join(there, 'workspace/ses_1'))).toHaveLength(files)
  expect(await readdir(there)).not.toContain('.restoring')
})

test.each([
  ['an empty directory’s restore that was killed', ['.restoring']],
  ['a restore that was killed while it moved other folders', ['.restoring/moved/skills']],
  ['a restore that was killed before it moved this', ['.restoring/moved/workspace', '.restoring/data/workspace']],
  ['no restore', []],
])('a directory without a database keeps what is in it, with what is left of %s', async (_, left) => {
  const [file, there] = [await archive(), await scratch()]
  for (const folder of [...left, 'workspace']) await mkdir(join(there, folder), { recursive: true })
  await writeFile(join(there, 'workspace/x'), 'x')
  const before = (await readdir(there, { recursive: true })).toSorted()
  for (let times = 0; times < 2; times++) {
    const { code, err } = await bobbinHere(there, 'restore', file)
    expect([code, err]).toEqual([1, expect.stringContaining(`${there} isn’t empty: it has workspace.`)])
    const after = (await readdir(there, { recursive: true })).filter((name) => name !== '.restoring/lock')
    expect(after.toSorted()).toEqual(before)
  }
})

test('a directory that isn’t empty keeps what is in it where a restore can’t even take its lock', async () => {
  const [file, there] = [await archive(), await scratch()]
  await mkdir(join(there, '.restoring/lock'), { recursive: true })
  await mkdir(join(there, 'workspace/x'), { recursive: true })
  for (let times = 0; times < 2; times++) {
    expect((await bobbinHere(there, 'restore', file)).code).toBe(1)
    expect(await readdir(join(there, 'workspace'))).toEqual(['x'])
  }
  await rm(join(there, '.restoring/lock'), { recursive: true })
  expect((await bobbinHere(there, 'restore', file)).err).toContain('isn’t empty: it has workspace.')
  expect(await readdir(join(there, 'workspace'))).toEqual(['x'])
})

test('a restore that was killed while it put things in place is begun again by the same command', async () => {
  const [file, there] = [await archive(), await scratch()]
  const killed = await begun(there, file)
  killed.kill()
  await killed.ended
  await mkdir(join(there, '.restoring/moved/workspace'), { recursive: true })
  await rename(join(there, '.restoring/data/workspace'), join(there, 'workspace'))
  await writeFile(join(there, 'workspace/ses_1/partly'), '')
  expect(await bobbinHere(there, 'restore', file)).toMatchObject({ code: 0, err: '' })
  expect(await readdir(join(there, 'workspace/ses_1'))).toHaveLength(files)
  expect((await readdir(there)).toSorted()).toEqual(['bobbin.db', 'restored', 'workspace'])
})
