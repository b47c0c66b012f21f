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

test('comments have lines of at most 120 characters', () => {
  const long = comments.filter(({ line }) => line.length > 120)
  expect(long.map(({ place, line }) => `${place}: ${line.trim()}`)).toEqual([])
})
