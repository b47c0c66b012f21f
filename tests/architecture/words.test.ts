import { expect, test } from 'vitest'
import { isWords } from '../words/catalogues.ts'
import { sentencesIn } from './sentences.ts'
import { folderOf, sources } from './sources.ts'

/**
 * How many sentences still stand in the code of a folder instead of its words.ts, at most. These figures only go down. What isn’t
 * listed has none; the kit has no catalogue, since its parts could be libraries of their own.
 */
const most: Record<string, number> = {
  api: 40,
  'capabilities/agents': 25,
  'capabilities/alarms': 20,
  'capabilities/commands': 15,
  'capabilities/compositions': 5,
  'capabilities/context': 30,
  'capabilities/delegation': 5,
  'capabilities/documents': 80,
  'capabilities/ending': 5,
  'capabilities/files': 55,
  'capabilities/mcp': 55,
  'capabilities/more-tools': 5,
  'capabilities/planning': 15,
  'capabilities/plans': 35,
  'capabilities/questions': 15,
  'capabilities/skills': 55,
  'capabilities/spending': 10,
  'capabilities/telemetry': 15,
  'capabilities/todos': 10,
  'capabilities/web': 25,
  cli: 5,
  config: 10,
  doctor: 5,
  domain: 5,
  export: 5,
  inbound: 5,
  jobs: 5,
  platforms: 5,
  'platforms/console': 5,
  'platforms/console/public': 25,
  'platforms/discord': 50,
  'platforms/slack': 35,
  programs: 20,
  store: 35,
  trust: 5,
  turn: 95,
  workspace: 40,
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
