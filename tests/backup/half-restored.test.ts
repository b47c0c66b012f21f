import { randomBytes } from 'node:crypto'
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { bobbinHere } from '../commands/support.ts'
import { layDatabase } from '../support/sqlite-template.ts'
import { scratch } from '../support/store.ts'
import { until } from '../support/until.ts'
import { launch } from './support.ts'

const files = 300

/** A backup of a bot with many files in one thread. */
async function archive(): Promise<string> {
  const dataDir = await scratch()
  await layDatabase(join(dataDir, 'bobbin.db'))
  await mkdir(join(dataDir, 'workspace/ses_1'), { recursive: true })
  for (let number = 0; number < files; number++)
    await writeFile(join(dataDir, `workspace/ses_1/${number}`), randomBytes(100_000))
  const file = join(await scratch(), 'a.tar.gz')
  expect(await bobbinHere(dataDir, 'backup', file)).toMatchObject({ code: 0, err: '' })
  return file
}

/** A restore that is in the middle of its files. */
async function begun(there: string, file: string) {
  const restoring = launch(there, ['restore', file])
  await until('files', async () => {
    const names = await readdir(join(there, '.restoring/data/workspace/ses_1')).catch(() => [])
    return names.length > 10
  })
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
  first.signal('SIGSTOP')
  const { code, err } = await bobbinHere(there, 'restore', file)
  expect([code, err]).toEqual([1, expect.stringContaining(`Another restore into ${there} is running.`)])
  first.signal('SIGCONT')
  expect(await first.ended).toBe(0)
  expect(await readdir(join(there, 'workspace/ses_1'))).toHaveLength(files)
  expect(await readdir(there)).not.toContain('.restoring')
})
