import { mkdir, readdir, readFile, realpath, rename, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { bobbinHere } from '../commands/support.ts'
import { layDatabase } from '../support/sqlite-template.ts'
import { scratch } from '../support/store.ts'

/** A data directory in which a thread has a file. */
async function dataDirectory(): Promise<string> {
  const directory = await realpath(await scratch())
  await layDatabase(join(directory, 'bobbin.db'))
  await mkdir(join(directory, 'workspace/ses_1'), { recursive: true })
  await writeFile(join(directory, 'workspace/ses_1/a'), 'a')
  return directory
}

/** Moves something elsewhere and leaves a link. Returns the place where it is now. */
async function movedOut(directory: string, name: string): Promise<string> {
  const there = join(await scratch(), name)
  await rename(join(directory, name), there)
  await symlink(there, join(directory, name))
  return there
}

test('files, settings and tokens that are elsewhere by links are in a backup as if they were here', async () => {
  const [dataDir, home] = [await dataDirectory(), await scratch()]
  await mkdir(join(home, 'config'))
  await writeFile(join(home, 'config/bobbin.yaml'), 'agent:\n  max_steps: 7\n')
  await writeFile(join(home, '.env'), 'BOBBIN_PORT=3100\n')
  await movedOut(dataDir, 'workspace')
  await movedOut(join(home, 'config'), 'bobbin.yaml')
  await movedOut(home, '.env')
  const file = join(await scratch(), 'a.tar.gz')
  const made = await bobbinHere(dataDir, 'backup', file, { BOBBIN_HOME: home })
  expect(made).toMatchObject({ code: 0, err: '', out: expect.not.stringContaining('Left out') })
  const there = await scratch()
  expect(await bobbinHere(there, 'restore', file)).toMatchObject({ code: 0, err: '' })
  expect(await readFile(join(there, 'workspace/ses_1/a'), 'utf8')).toBe('a')
  expect(await readFile(join(there, 'restored/config/bobbin.yaml'), 'utf8')).toContain('max_steps: 7')
  expect(await readFile(join(there, 'restored/env'), 'utf8')).toContain('3100')
})

test('no backup is made while the disk with the files of all threads is missing', async () => {
  const dataDir = await dataDirectory()
  await rename(await movedOut(dataDir, 'workspace'), join(await scratch(), 'elsewhere'))
  const target = await scratch()
  const { code, err } = await bobbinHere(dataDir, 'backup', join(target, 'a.tar.gz'))
  expect([code, err]).toEqual([1, expect.stringContaining(`${join(dataDir, 'workspace')} leads nowhere`)])
  expect(await readdir(target)).toEqual([])
})

test('links of other names aren’t followed, and are counted', async () => {
  const dataDir = await dataDirectory()
  await mkdir(join(dataDir, 'backups'))
  await movedOut(dataDir, 'backups')
  await symlink(dataDir, join(dataDir, 'self'))
  const file = join(dataDir, 'backups/a.tar.gz')
  const made = await bobbinHere(dataDir, 'backup', file)
  expect(made).toMatchObject({ code: 0, err: '', out: expect.stringContaining('Left out: 2 links and special files.') })
  const there = await scratch()
  expect(await bobbinHere(there, 'restore', file)).toMatchObject({ code: 0, err: '' })
  expect((await readdir(there)).toSorted()).toEqual(['bobbin.db', 'restored', 'workspace'])
})

test('earlier backups in the data directory aren’t in one that goes elsewhere, but those in threads are', async () => {
  const dataDir = await dataDirectory()
  await mkdir(join(dataDir, 'backups'))
  for (const name of ['backups/earlier.tar.gz', 'workspace/ses_1/b.tar.gz'])
    expect(await bobbinHere(dataDir, 'backup', join(dataDir, name))).toMatchObject({ code: 0, err: '' })
  await writeFile(join(dataDir, 'backups/notes'), 'n')
  const file = join(await scratch(), 'a.tar.gz')
  expect(await bobbinHere(dataDir, 'backup', file)).toMatchObject({ code: 0, err: '' })
  const there = await scratch()
  expect(await bobbinHere(there, 'restore', file)).toMatchObject({ code: 0, err: '' })
  expect(await readdir(join(there, 'backups'))).toEqual(['notes'])
  expect((await readdir(join(there, 'workspace/ses_1'))).toSorted()).toEqual(['a', 'b.tar.gz'])
})
