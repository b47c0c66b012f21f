import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { openPlace } from '../support/bot-process.ts'
import { portOfItsOwn } from '../support/free-port.ts'
import { says } from '../support/model-server.ts'
import { scratch } from '../support/store.ts'

const bin = resolve(import.meta.dirname, '../../src/bin.js')

test('without BOBBIN_URL, chat talks to the Bobbin of its home and to no other one at its address', async () => {
  const port = await portOfItsOwn()
  const place = await openPlace({ script: [says('It is me.'), says('Another one.')], environment: port })
  const { chat } = await place.start()
  const home = await scratch()
  const said = async (environment: NodeJS.ProcessEnv) => {
    const env = { PATH: process.env.PATH, ...port, ...environment }
    const child = spawn(process.execPath, [bin, 'chat'], { cwd: home, env })
    child.stdin.end('hello\n')
    const [out, error] = [text(child.stdout), text(child.stderr)]
    const [code] = await once(child, 'close')
    return { code, out: await out, error: await error }
  }
  expect((await said({ BOBBIN_HOME: home, BOBBIN_DATA_DIR: place.dataDir })).out).toContain('bobbin: It is me.')
  const other = await said({ BOBBIN_HOME: home })
  expect(other.code).toBe(1)
  expect(other.error).toMatch(/isn’t the Bobbin of this home: none runs on .*BOBBIN_URL/)
  expect(place.model.requests).toHaveLength(1)
  expect((await said({ BOBBIN_HOME: home, BOBBIN_URL: chat.url })).out).toContain('bobbin: Another one.')
})
