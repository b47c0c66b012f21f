import { expect, test } from 'vitest'
import { isWords } from '../words/catalogues.ts'
import { sentencesIn } from './sentences.ts'
import { folderOf, sources } from './sources.ts'

/**
 * How many sentences still stand in the code of a folder instead of its words.ts. These figures only go down. What isn't
 * listed has none; the kit has no catalogue, since its parts could be libraries of their own.
 */
const most: Record<string, number> = {
  api: 45,
  'capabilities/agents': 45,
  'capabilities/alarms': 33,
  'capabilities/commands': 19,
  'capabilities/compositions': 13,
  'capabilities/context': 41,
  'capabilities/delegation': 11,
  'capabilities/documents': 86,
  'capabilities/ending': 9,
  'capabilities/files': 60,
  'capabilities/mcp': 96,
  'capabilities/more-tools': 11,
  'capabilities/planning': 21,
  'capabilities/plans': 40,
  'capabilities/questions': 20,
  'capabilities/skills': 96,
  'capabilities/spending': 22,
  'capabilities/telemetry': 28,
  'capabilities/todos': 14,
  'capabilities/web': 32,
  cli: 11,
  config: 14,
  doctor: 10,
  domain: 11,
  export: 9,
  inbound: 9,
  jobs: 10,
  platforms: 11,
  'platforms/console': 9,
  'platforms/console/public': 123,
  'platforms/discord': 57,
  'platforms/slack': 41,
  programs: 24,
  store: 41,
  trust: 9,
  turn: 101,
  workspace: 45,
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
