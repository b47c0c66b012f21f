import { expect, test } from 'vitest'
import { isWords } from '../words/catalogues.ts'
import { sentencesIn } from './sentences.ts'
import { folderOf, sources } from './sources.ts'

/**
 * How many sentences still stand in the code of a folder instead of its words.ts. These figures only go down. What isn't
 * listed has none; the kit has no catalogue, since its parts could be libraries of their own.
 */
const most: Record<string, number> = {
  api: 107,
  'capabilities/agents': 49,
  'capabilities/alarms': 37,
  'capabilities/commands': 23,
  'capabilities/compositions': 17,
  'capabilities/context': 45,
  'capabilities/delegation': 15,
  'capabilities/documents': 90,
  'capabilities/ending': 13,
  'capabilities/files': 64,
  'capabilities/mcp': 100,
  'capabilities/more-tools': 15,
  'capabilities/planning': 25,
  'capabilities/plans': 44,
  'capabilities/questions': 24,
  'capabilities/skills': 100,
  'capabilities/spending': 26,
  'capabilities/telemetry': 32,
  'capabilities/todos': 18,
  'capabilities/web': 36,
  cli: 163,
  config: 51,
  doctor: 60,
  domain: 15,
  engine: 20,
  export: 13,
  inbound: 69,
  jobs: 14,
  model: 33,
  outbound: 16,
  platforms: 15,
  'platforms/console': 13,
  'platforms/console/public': 126,
  'platforms/discord': 119,
  'platforms/slack': 134,
  programs: 28,
  store: 73,
  trust: 52,
  turn: 105,
  wiring: 49,
  workspace: 49,
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
