import { execFile } from 'node:child_process'
import { copyFile, mkdir, readdir, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { openPlace } from '../support/bot-process.ts'
import { scratch } from '../support/store.ts'

const run = promisify(execFile)
const bin = resolve(import.meta.dirname, '../../src/bin.js')

/** Runs bin.js with a program of one module, whose folder says what stands in the way of a cache beside it. */
async function startedIn(obstacles: (folder: string) => Promise<void>) {
  const folder = await scratch()
  await mkdir(join(folder, 'src/cli'), { recursive: true })
  await copyFile(bin, join(folder, 'src/bin.js'))
  await writeFile(join(folder, 'package.json'), '{"type":"module"}')
  await writeFile(join(folder, 'src/cli/main.ts'), 'export const main = async () => 0\n')
  await mkdir(join(folder, 'node_modules'))
  await obstacles(folder)
  const env = { PATH: process.env.PATH, HOME: join(folder, 'home'), TMPDIR: join(folder, 'tmp') }
  await mkdir(env.TMPDIR)
  await run(process.execPath, [join(folder, 'src/bin.js')], { env })
  const namesIn = (path: string) => readdir(join(folder, path)).catch(() => [])
  return {
    beside: await namesIn('node_modules/.cache/bobbin'),
    home: await namesIn('home/.cache/bobbin'),
    temporary: await namesIn('tmp'),
  }
}

test('compiled code is kept beside the program', async () => {
  const kept = await startedIn(async () => {})
  expect(kept).toEqual({ beside: [expect.stringMatching(/^v/)], home: [], temporary: [] })
})

// As in the image, where the program belongs to root. Nothing is kept where others could write it.
test('where nothing can be written beside the program, compiled code is kept at home, or nowhere', async () => {
  const isFile = (path: string) => async (folder: string) => writeFile(join(folder, path), '')
  const kept = await startedIn(isFile('node_modules/.cache'))
  expect(kept).toEqual({ beside: [], home: [expect.stringMatching(/^v/)], temporary: [] })
  const nowhere = await startedIn(async (folder) => {
    await isFile('node_modules/.cache')(folder)
    await isFile('home')(folder)
  })
  expect(nowhere).toEqual({ beside: [], home: [], temporary: [] })
})

test('a bot that is killed soon after it is ready has kept its compiled code', async () => {
  const cache = await scratch()
  const place = await openPlace({ environment: { NODE_COMPILE_CACHE: cache } })
  const life = await place.start()
  // Kept before the bot answers anything.
  await fetch(life.chat.url)
  life.signal('SIGKILL')
  expect(await life.ended).toBe('SIGKILL')
  expect((await readdir(cache, { recursive: true })).length).toBeGreaterThan(100)
})
