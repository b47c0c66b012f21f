import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import { textOf } from '../support/document-text.ts'
import { oneReader } from '../support/readers.ts'
import { pages, scratch, testLibrary } from './index/library.ts'

const signal = new AbortController().signal

test('a search that waits never shows what took the place of a document that was removed meanwhile', async () => {
  const { room, pool, library } = await testLibrary(await scratch())
  const [one, two] = [await room('ses_one'), await room('ses_two')]
  const small = await one.put('small.pdf', pages('A common word.'))
  await one.find('common')
  const large = await one.put('large.pdf', pages('Large, and nothing else.'))
  const gate = Promise.withResolvers<void>()
  const reached = Promise.withResolvers<void>()
  pool.before = async ({ name }) => {
    if (name !== 'large.pdf') return
    reached.resolve()
    await gate.promise
  }
  const searching = one.find('common', { paths: [small, large] })
  await reached.promise
  await rm(join(one.workspace.root, small))
  await expect(one.open(small, { signal })).rejects.toMatchObject({ code: 'not_found' })
  await library.settled()
  await two.put('secret.pdf', pages('The common secret of the other thread.'))
  await two.find('secret')
  gate.resolve()
  const { matches } = await searching
  expect(JSON.stringify(matches)).not.toContain('secret')
})

test('what a file is called in one thread is not told in another that has the same bytes', async () => {
  const pool = oneReader()
  onTestFinished(() => pool.stop())
  const { room } = await testLibrary(await scratch(), { pool })
  const [one, two] = [await room('ses_one'), await room('ses_two')]
  const bytes = gzipSync('the same log')
  await one.workspace.write('uploads/merger-with-acme.log.gz', bytes)
  await two.workspace.write('uploads/a.gz', bytes)
  await one.open('uploads/merger-with-acme.log.gz', { signal })
  const opened = await two.open('uploads/a.gz', { signal })
  expect((await textOf(opened)) + opened.notes.join(' ')).not.toContain('acme')
})
