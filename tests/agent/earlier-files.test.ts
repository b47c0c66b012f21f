import { expect, test } from 'vitest'
import { filesToFetch } from '../../src/turn/read/earlier-files.ts'

const fileOf = (name: string, size: number) => ({ id: name, name, size })

test.each([
  ['at most twenty', Array.from({ length: 25 }, () => 1), 1_000, Array.from({ length: 20 }, (_, place) => place + 5)],
  ['those that fit into a quarter of the space', [100, 100, 300, 100], 1_000, [1, 3]],
  ['the newest, however large it is', [10, 900], 1_000, [1]],
  ['none of none', [], 1_000, []],
])('of earlier files, %s are fetched', (_, sizes, space, places) => {
  const files = sizes.map((size, place) => fileOf(`${place}`, size))
  const fetched = filesToFetch(files, space)
  expect(files.flatMap((file, place) => (fetched.has(file) ? [place] : []))).toEqual(places)
})
