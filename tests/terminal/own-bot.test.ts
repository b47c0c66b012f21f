import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { symlink, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { openPlace } from '../support/bot-process.ts'
import { portOfItsOwn } from '../support/free-port.ts'
import { says } from '../support/model-server.ts'
import { scratch } from '../support/store.ts'

const bin = resolve(import.meta.dirname, '../../src/bin.js')

/** What `bobbin chat` says that is run in a folder. */
async function said(folder: string, environment: NodeJS.ProcessEnv) {
  const env = { PATH: process.env.PATH, ...environment }
  const child = spawn(process.execPath, [bin, 'chat'], { cwd: folder, env })
  child.stdin.end('hello\n')
  const [out, error] = [text(child.stdout), text(child.stderr)]
  const [code] = await once(child, 'close')
  return { code, out: await out, error: await error }
}

test('without BOBBIN_URL, chat talks to the Bobbin of its home and to no other one at its address', async () => {
  const port = await portOfItsOwn()
  const place = await openPlace({ script: [says('It is me.'), says('Another one.')], environment: port })
  const { chat } = await place.start()
  const home = await scratch()
  const own = { BOBBIN_HOME: home, BOBBIN_DATA_DIR: place.dataDir, ...port }
  expect((await said(home, own)).out).toContain('bobbin: It is me.')
  const other = await said(home, { BOBBIN_HOME: home, ...port })
  expect(other.code).toBe(1)
  expect(other.error).toMatch(/isn’t the Bobbin of this home: none runs on .*BOBBIN_URL/)
  expect(place.model.requests).toHaveLength(1)
  expect((await said(home, { BOBBIN_HOME: home, BOBBIN_URL: chat.url })).out).toContain('bobbin: Another one.')
})

test('the Bobbin of its home is found wherever it listens, also if one of another home is at the usual address', async () => {
  const port = await portOfItsOwn()
  const other = await openPlace({ script: [says('Somebody else.')], environment: port })
  await other.start()
  const place = await openPlace({ script: [says('It is me.'), says('Again.')], environment: { BOBBIN_PORT: '0' } })
  await place.start()
  const own = { BOBBIN_HOME: await scratch(), BOBBIN_DATA_DIR: place.dataDir }
  expect((await said(own.BOBBIN_HOME, { ...own, ...port })).out).toContain('bobbin: It is me.')
  expect((await said(own.BOBBIN_HOME, { ...own, BOBBIN_PORT: '0' })).out).toContain('bobbin: Again.')
  expect(other.model.requests).toHaveLength(0)
})

test('in a folder without data, which nothing names, chat talks to whoever listens at the usual address', async () => {
  const port = await portOfItsOwn()
  const place = await openPlace({ script: [says('Here.'), says('Here, too.')], environment: port })
  await place.start()
  const [empty, closed] = [await scratch(), await scratch()]
  for (const folder of [empty, closed]) await writeFile(join(folder, '.env'), `BOBBIN_PORT=${port.BOBBIN_PORT}\n`)
  // Nobody can look into it.
  await symlink('data', join(closed, 'data'))
  expect((await said(empty, {})).out).toContain('bobbin: Here.')
  expect((await said(closed, {})).out).toContain('bobbin: Here, too.')
})
