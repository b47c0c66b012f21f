import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { expect, test } from 'vitest'

const top = resolve(import.meta.dirname, '../..')

const documents = ['.', 'docs', 'docs/decisions'].flatMap((folder) =>
  readdirSync(join(top, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(folder, name)),
)

/** Targets of links within the project. */
const linksIn = (text: string): string[] =>
  Array.from(text.matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g), ([, target = '']) => target).filter(
    (target) => !/^[a-z]+:/.test(target),
  )

test.each(documents)('links in %s are not broken', (path) => {
  const links = linksIn(readFileSync(join(top, path), 'utf8'))
  expect(links.filter((target) => !existsSync(join(top, dirname(path), target)))).toEqual([])
})
