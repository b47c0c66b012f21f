import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { protections } from './protections.ts'
import { protectionsMore } from './protections-more.ts'

const top = resolve(import.meta.dirname, '../..')

test('each protection that the campaign switches off is in the code', () => {
  const changes = [...protections, ...protectionsMore].flatMap(({ name, changes: all }) =>
    all.map((change) => ({ name, ...change })),
  )
  const texts = new Map(
    [...new Set(changes.map(({ file }) => file))].map((file) => [file, readFileSync(resolve(top, file), 'utf8')]),
  )
  expect(changes.filter(({ file, find }) => !texts.get(file)?.includes(find)).map(({ name }) => name)).toEqual([])
})
