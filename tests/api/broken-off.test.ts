import { appendFile, rename, rm, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startTestBot } from '../support/bot.ts'
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

test('a download breaks off if its file is replaced or written anew meanwhile, and goes on if that only grows', async () => {
  const bot = await startTestBot({ script: [says('Seen.')] })
  const { conversation } = await bot.chat.say('look', { files: { 'kept.bin': '' } })
  const temp = join(bot.config.dataDir, 'workspace', conversation, 'temp')
  const files = `${bot.chat.url}/api/v1/agent/conversations/${conversation}/files/temp`
  const download = async (name: string, meanwhile: (path: string) => Promise<void>) => {
    const path = join(temp, name)
    await writeFile(path, '')
    await truncate(path, muchBytes)
    const response = await fetch(`${files}/${name}`)
    await meanwhile(path)
    return (await response.arrayBuffer()).byteLength
  }
  const replace = async (path: string) => {
    await writeFile(`${path}.new`, '')
    await truncate(`${path}.new`, muchBytes + 1)
    await rename(`${path}.new`, path)
  }
  await expect(download('replaced.bin', replace)).rejects.toThrow()
  await expect(download('anew.bin', (path) => writeFile(path, 'anew'))).rejects.toThrow()
  expect(await download('log.txt', (path) => appendFile(path, 'one more line'))).toBe(muchBytes)
})
