import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { launch, unprivileged } from '../backup/support.ts'
import { layDatabase } from '../support/sqlite-template.ts'
import { scratch } from '../support/store.ts'
import { bobbinHere } from './support.ts'

const archive = join(import.meta.dirname, 'data-dir.test.ts')
const commands = [['start'], ['migrate'], ['restore', archive]]

test.each(commands)('a data directory that is a file ends %s in a sentence that names it', async (...args) => {
  const file = join(await scratch(), 'file')
  await writeFile(file, 'in the way')
  const { ended, said } = launch(file, args)
  expect(await ended).toBe(1)
  expect(said()).toBe(`The data directory ${file} is a file. Set BOBBIN_DATA_DIR to a writable directory.\n`)
})

test.each(commands)('a data directory that can’t be written ends %s in a sentence that names it', async (...args) => {
  const dataDir = await closed()
  const { ended, said } = launch(dataDir, args, unprivileged)
  expect(await ended).toBe(1)
  expect(said()).toMatch(/^[^\n]*writable for the user that runs Bobbin[^\n]*\.\n$/)
  expect(said()).toContain(`The data directory ${args[0] === 'restore' ? `${dataDir} can’t be used` : `is ${dataDir}`}`)
})

test('a folder in the data directory that another user made ends the start in a sentence', async () => {
  const dataDir = await scratch()
  await closed(join(dataDir, 'incoming'), 0)
  for (const config of [[], ['env', `BOBBIN_CONFIG_DIR=${dirname(dataDir)}`]]) {
    const { ended, said } = launch(dataDir, ['start'], [...unprivileged, ...config])
    expect(await ended).toBe(1)
    expect(said()).toMatch(/^The data directory \S+ can’t be used: EACCES[^\n]+\/incoming[^\n]+ Make [^\n]+\.\n$/)
  }
})

test.each([
  ...['grants', 'sessions', 'sessions show ses_1', 'why', 'why 1.2', 'feedback --bad', 'nodes', 'logs ses_1'],
  ...['export ses_1', 'token list', 'audit verify', 'prune --dry-run', 'grants revoke grant_1'],
])('%s, where there is no database, says where it looked, and not that all is well', async (line) => {
  const dataDir = await scratch()
  const { code, out, err } = await bobbinHere(dataDir, ...line.split(' '))
  expect([code, out]).toEqual([1, ''])
  expect(err).toMatch(/^There is no database at \S+\. Set BOBBIN_HOME [^\n]+, or DATABASE_URL if [^\n]+\n$/)
  expect(err).toContain(join(dataDir, 'bobbin.db'))
})

test('a fault of the server that a bot is moved to isn’t called one of the data directory', async () => {
  const dataDir = await scratch()
  await layDatabase(join(dataDir, 'bobbin.db'))
  const { ended, said } = launch(dataDir, ['move', '--to', 'postgres://nobody@localhost:1/x'])
  expect(await ended).toBe(1)
  expect(said()).toMatch(/^The PostgreSQL server can’t be reached\. Start it, [^\n]+ --to, then try again\.\n$/)
})

/** A folder that not even root may write in, until the test is over. */
async function closed(folder?: string, mode = 0o555): Promise<string> {
  const path = folder ?? (await scratch())
  await mkdir(path, { recursive: true })
  await chmod(path, mode)
  onTestFinished(() => chmod(path, 0o700))
  return path
}
