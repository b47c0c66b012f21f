import { rm, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openPlace } from '../support/bot-process.ts'
import { says } from '../support/model-server.ts'
import { eventually } from '../support/until.ts'

/** More than connections hold. */
const muchBytes = 64 * 1024 * 1024

test('a download that fails breaks off, and why is a line of the log like any other', async () => {
  const place = await openPlace({ script: [says('Seen.')] })
  const life = await place.start()
  const { conversation } = await life.chat.say('look', { files: { 'kept.bin': '', 'lost.bin': '' } })
  const uploads = join(place.dataOf(life), 'workspace', conversation, 'uploads')
  for (const name of ['kept.bin', 'lost.bin']) await truncate(join(uploads, name), muchBytes)
  const files = `${life.chat.url}/api/v1/agent/conversations/${conversation}/files/uploads`

  // A reader who leaves is no failure.
  const left = new AbortController()
  const kept = await fetch(`${files}/kept.bin`, { signal: left.signal })
  await kept.body?.getReader().read()
  left.abort()

  const lost = await fetch(`${files}/lost.bin`)
  await rm(join(uploads, 'lost.bin'))
  await expect(lost.arrayBuffer()).rejects.toThrow()
  await eventually(() => expect(life.said()).toMatch(/^\{"level":50,.*"msg":"a request failed"\}$/m))
  expect(life.said().match(/a request failed/g)).toHaveLength(1)
  expect(life.said()).not.toMatch(/^\s+at /m)
})
