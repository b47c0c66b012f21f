import { expect, test } from 'vitest'
import { isWords } from '../words/catalogues.ts'
import { sentencesIn } from './sentences.ts'
import { folderOf, sources } from './sources.ts'

/**
 * How many sentences still stand in the code of a folder instead of its words.ts, at most. These figures only go down. What isn’t
 * listed has none; the kit has no catalogue, since its parts could be libraries of their own.
 */
const most: Record<string, number> = {
  api: 37,
  'capabilities/agents': 23,
  'capabilities/alarms': 14,
  'capabilities/commands': 2,
  'capabilities/compositions': 2,
  'capabilities/context': 27,
  'capabilities/delegation': 3,
  'capabilities/documents': 76,
  'capabilities/ending': 1,
  'capabilities/files': 46,
  'capabilities/mcp': 28,
  'capabilities/more-tools': 3,
  'capabilities/planning': 10,
  'capabilities/plans': 17,
  'capabilities/questions': 8,
  'capabilities/skills': 41,
  'capabilities/telemetry': 15,
  'capabilities/todos': 4,
  'capabilities/web': 23,
  config: 6,
  doctor: 1,
  domain: 3,
  export: 1,
  inbound: 1,
  jobs: 2,
  'platforms/console': 1,
  'platforms/console/public': 17,
  'platforms/discord': 5,
  'platforms/slack': 1,
  programs: 16,
  store: 15,
  trust: 1,
  turn: 45,
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

test('the scanner sees sentences, and nothing else', () => {
  const code = `
    const a = 'This was not found.'
    const b = \`The file \${name} is gone. Send it again.\`
    const c = 'select id from sessions where id = ?'
    const d = 'x-request-id'
    log.warn('The log is for developers and operators.')
    throw new Error('This never happens in practice')
    type T = 'This is only a type'
  `
  expect(sentencesIn('a.ts', code)).toEqual(['This was not found.', 'The file {} is gone. Send it again.'])
})
