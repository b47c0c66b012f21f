import { readdir } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { openShelf } from '../../src/capabilities/skills/shelf.ts'
import { scratch } from '../support/store.ts'

test('the same content is kept once, and what can’t be stored isn’t taken for stored', async () => {
  const folder = await scratch()
  const shelf = openShelf(folder)
  const one = Buffer.from('x')
  const hashes = [await shelf.put(new Map([['a', one]])), await shelf.put(new Map([['a', one]]))]
  expect(await readdir(folder)).toEqual([hashes[0]])
  expect(hashes[1]).toBe(hashes[0])
  const both = ['a', 'a/b'].map((path) => [path, one] as const)
  for (const files of [both, both.toReversed()])
    await expect(shelf.put(new Map(files))).rejects.toThrow(/EEXIST|EISDIR/)
  expect(await readdir(folder)).toEqual([hashes[0]])
})
