import { once } from 'node:events'
import { cp, mkdtemp, open, rm, truncate } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { addressFindings } from '../../src/doctor/address.ts'
import { once as onlyOnce } from '../../src/kit/once.ts'
import { bobbin } from '../commands/support.ts'
import { startTestBot } from '../support/bot.ts'
import { openPlace } from '../support/bot-process.ts'
import { says } from '../support/model-server.ts'
import { withoutSandbox } from '../support/sandbox.ts'
import { scratch } from '../support/store.ts'

const pageBytes = 4096

/** What the program has written, in a folder that each test copies. */
const written = onlyOnce(async () => {
  const { dataDir, start } = await openPlace({ script: () => says('Yes.') })
  const life = await start()
  await life.chat.say('hello')
  life.signal('SIGTERM')
  expect(await life.ended).toBe(0)
  const folder = await mkdtemp(join(tmpdir(), 'bobbin-written-'))
  folders.push(folder)
  await cp(dataDir, folder, { recursive: true })
  return folder
})
const folders: string[] = []
afterAll(async () => {
  for (const folder of folders) await rm(folder, { recursive: true, force: true })
})

/** Starts the program on data that it has written. Resolves with how it ended at once. */
async function startOn({ spoil, through }: { spoil?: (file: string) => unknown; through?: string[] }) {
  const place = await openPlace()
  await cp(await written(), place.dataDir, { recursive: true })
  await spoil?.(join(place.dataDir, 'bobbin.db'))
  const second = place.launch(through)
  return { code: await second.ended, said: second.said().trim() }
}

async function overwrite(file: string, from: number, bytes: number): Promise<void> {
  const handle = await open(file, 'r+')
  await handle.write(Buffer.alloc(bytes, 0xa5), 0, bytes, from)
  await handle.close()
}

async function overwriteTables(file: string): Promise<void> {
  const database = new Sqlite(file)
  const pages = database
    .prepare("select rootpage from sqlite_master where type = 'table' and rootpage > 1")
    .pluck()
    .all()
  database.close()
  for (const page of pages) await overwrite(file, (Number(page) - 1) * pageBytes, pageBytes)
}

const oneSentenceAndRemedy = /^[^\n]+\. [^\n]+\.$/

describe.each([
  ['whose header was overwritten', (file: string) => overwrite(file, 0, 100)],
  ['whose first page was overwritten', (file: string) => overwrite(file, 100, pageBytes - 100)],
  ['whose tables were overwritten', overwriteTables],
  ['that was cut off', (file: string) => truncate(file, 2 * pageBytes + 100)],
])('started on a bobbin.db %s', (_, spoil) => {
  test('the program says so in one sentence with a remedy, and exits', async () => {
    const { code, said } = await startOn({ spoil })
    expect(said).toMatch(oneSentenceAndRemedy)
    expect(said).toMatch(/database is damaged.* restore bobbin\.db from a backup/)
    expect(code).toBe(1)
  })
})

/** Without the rights of root, to which every file can be written. */
const asSomebody = ['bwrap', '--dev-bind', '/', '/', '--unshare-user', '--uid', '1000', '--gid', '1000']
const mounted = (what: string) => [
  'sh',
  '-c',
  `exec bwrap --dev-bind / / --ro-bind "${what}" "${what}" --die-with-parent "$@"`,
  'sh',
]
const permitted = (modes: string) => [
  'sh',
  '-c',
  `cd "$BOBBIN_DATA_DIR"; ${modes}; exec ${asSomebody.join(' ')} "$@"`,
  'sh',
]

describe.skipIf(withoutSandbox).each([
  ['a disk that is mounted read-only', mounted('$BOBBIN_DATA_DIR')],
  ['a bobbin.db that is mounted read-only', mounted('$BOBBIN_DATA_DIR/bobbin.db')],
  ['a bobbin.db that may not be written', permitted('chmod 444 bobbin.db')],
  ['a data directory that may not be written', permitted('chmod 555 .')],
  ['both', permitted('chmod 444 bobbin.db; chmod 555 .')],
  ['a bobbin.db that may not be read', permitted('chmod 000 bobbin.db')],
  ['a data directory that may not be read', permitted('chmod 000 .')],
])('started on %s', (_, through) => {
  test('the program says so in one sentence with a remedy, and exits', async () => {
    const { code, said } = await startOn({ through })
    expect(said).toMatch(oneSentenceAndRemedy)
    expect(said).toMatch(/writable for the user that runs Bobbin, then try again/)
    expect(code).toBe(1)
  })
})

test.each([
  [{ BOBBIN_HOST: 'notahost.invalid' }, /^Cannot listen on notahost\.invalid:.*Correct BOBBIN_HOST/],
  [{ BOBBIN_DATA_DIR: '/proc/nowhere' }, /^The data directory \/proc\/nowhere can’t be created: .*Set BOBBIN_DATA_DIR/],
])('started with %j, the program says so in one sentence with a remedy, and exits', async (environment, said) => {
  const { code, err } = await bobbin(await scratch(), 'start', environment)
  expect([code, err.trim()]).toEqual([1, expect.stringMatching(said)])
})

test('doctor says whether another program has the port', async () => {
  const taken = createServer().listen(0, '127.0.0.1')
  onTestFinished(() => void taken.close())
  await once(taken, 'listening')
  const { port } = taken.address() as AddressInfo
  // As in a container: whoever comes from elsewhere needs a token.
  const bot = await startTestBot({ script: [], config: { server: { host: '0.0.0.0' } } })
  const about = async (of: number, runsHere = true, host = '127.0.0.1') =>
    (await Array.fromAsync(addressFindings({ host, port: of }, async () => runsHere)))[0]?.fact
  expect(await about(port)).toBe(`Another program uses port ${port} on 127.0.0.1.`)
  const own = Number(new URL(bot.chat.url).port)
  expect(await about(own, true, '0.0.0.0')).toBe(`Bobbin listens on 0.0.0.0:${own} now.`)
  expect(await about(own, false, '0.0.0.0')).toBe(`A Bobbin with another data directory listens on 0.0.0.0:${own}.`)
  expect(await about(0)).toBe('The console can listen on 127.0.0.1:0.')
})
