import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { pages, scratch, testLibrary } from './library.ts'

test('what is removed gives its room back to the disk', async () => {
  const directory = await scratch()
  const { room, library, reports } = await testLibrary(directory)
  const one = await room('ses_one')
  await one.put('a.pdf', pages(...Array.from({ length: 300 }, (_, index) => `zebra ${index} `.repeat(200))))
  await one.find('zebra')
  library.close()
  const file = join(directory, 'index.db')
  const full = (await stat(file)).size

  const again = await testLibrary(directory)
  again.library.forget('ses_one')
  again.library.clean()
  await again.library.settled()
  again.library.close()
  expect((await stat(file)).size).toBeLessThan(full / 2)
  expect([...reports, ...again.reports]).toEqual([])
})

test('if there is too much, the least recently used goes first', async () => {
  const { room, library, clock } = await testLibrary(await scratch(), { mostCharacters: 2_500 })
  const one = await room('ses_one')
  for (const name of ['a', 'b', 'c']) {
    await one.put(`${name}.pdf`, pages(`${name} zebra `.repeat(125)))
    await one.find('zebra', { paths: [`uploads/${name}.pdf`] })
    clock.at += 3_600_001
  }
  await one.find('zebra', { paths: ['uploads/a.pdf'] })
  library.clean()
  await library.settled()
  expect(library.size).toBe(2)
  const { matches } = await one.find('zebra', { maxResults: 9 })
  expect(new Set(matches.map(({ path }) => path)).size).toBe(3)
})
