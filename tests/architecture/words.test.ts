import { expect, test } from 'vitest'
import { isWords } from '../words/catalogues.ts'
import { sentencesIn } from './sentences.ts'
import { folderOf, sources } from './sources.ts'

/**
 * How many sentences still stand in the code of a folder instead of its words.ts, at most. These figures only go down. What isn’t
 * listed has none; the kit has no catalogue, since its parts could be libraries of their own. What is left is for the model (tools,
 * prompts), for programs (the description of the HTTP interface, the names of metrics), or stored and compared as it is.
 */
const most: Record<string, number> = {
  api: 37,
  'capabilities/agents': 22,
  'capabilities/alarms': 13,
  'capabilities/commands': 2,
  'capabilities/compositions': 1,
  'capabilities/context': 18,
  'capabilities/delegation': 3,
  'capabilities/documents': 11,
  'capabilities/ending': 1,
  'capabilities/files': 46,
  'capabilities/mcp': 28,
  'capabilities/more-tools': 4,
  'capabilities/planning': 9,
  'capabilities/plans': 17,
  'capabilities/questions': 8,
  'capabilities/skills': 41,
  'capabilities/telemetry': 14,
  'capabilities/todos': 4,
  'capabilities/web': 20,
  doctor: 1,
  domain: 3,
  'platforms/discord': 3,
  store: 6,
  'turn/ask': 8,
  'turn/hooks': 2,
  'turn/port': 1,
  'turn/prompt': 13,
  'turn/read': 1,
  'turn/settle': 9,
  'turn/state': 3,
}

const areaOf = (path: string): string => (path.includes('/public/') ? 'platforms/console/public' : folderOf(path))

test('what people read stands in the catalogues', () => {
  const counted = sources.filter(
    ({ path }) => /\.(ts|js)$/.test(path) && !isWords(path) && !path.startsWith('kit/') && path !== 'bin.js',
  )
  const found = counted.flatMap(({ path, text }) => sentencesIn(path, text).map((said) => ({ path, said })))
  const areas = Object.groupBy(found, ({ path }) => areaOf(path))
  const over = Object.entries(areas).filter(([area, all = []]) => all.length > (most[area] ?? 0))
  // A sentence is moved, or a new one written, to the words.ts of its folder.
  expect(over.map(([area, all = []]) => [area, all.length, all.map(({ path, said }) => `${path}: ${said}`)])).toEqual(
    [],
  )
})

test('sentences in code have the apostrophe of the catalogues', () => {
  const suspects = sources.filter(({ path, text }) => /\.(ts|js)$/.test(path) && /["`][^"`\n]*\w'\w/.test(text))
  const found = suspects.flatMap(({ path, text }) => sentencesIn(path, text).map((said) => `${path}: ${said}`))
  expect(found.filter((said) => /\p{L}'\p{L}/u.test(said))).toEqual([])
})

test('the scanner sees sentences, and nothing else', () => {
  const code = `
    const a = 'This was not found.'
    const b = \`The file \${name} is gone. Send it again.\`
    const c = 'select id from sessions where id = ?'
    const d = 'x-request-id'
    const e = 'DELETE FROM sessions WHERE id = ?'
    log.warn('The log is for developers and operators.')
    throw new Error('This never happens in practice')
    type T = 'This is only a type'
  `
  expect(sentencesIn('a.ts', code)).toEqual(['This was not found.', 'The file {} is gone. Send it again.'])
})
