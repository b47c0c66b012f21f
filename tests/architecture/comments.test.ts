import { expect, test } from 'vitest'
import { sources } from './sources.ts'

/** Lines that are a comment, or part of one, with their place. */
const comments = sources
  .filter(({ path }) => /\.(ts|js|css)$/.test(path))
  .flatMap(({ path, text }) =>
    text
      .split('\n')
      .flatMap((line, at) => (/^\s*(\/\/|\/?\*)/.test(line) ? [{ place: `${path}:${at + 1}`, line }] : [])),
  )

test('comments name no ticket, which nobody could look up', () => {
  const tickets = comments.filter(({ line }) => /\([A-Z]\d{1,2}\)|\b[A-Z]\d: /.test(line.replace(/`[^`]*`/g, '')))
  expect(tickets.map(({ place, line }) => `${place}: ${line.trim()}`)).toEqual([])
})
