import { writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, test } from 'vitest'
import { scratch } from '../support/store.ts'
import { bobbinHere as bobbin } from './support.ts'

const zod = pathToFileURL(createRequire(import.meta.url).resolve('zod')).href

/** What `config check` says of plug-ins, each the source of an object. */
async function check(...sources: string[]) {
  const directory = await scratch()
  for (const [place, source] of sources.entries())
    writeFileSync(join(directory, `p${place}.mjs`), `import { z } from '${zod}'\nexport default () => (${source})\n`)
  const listed = sources.map((_, place) => `  - path: p${place}.mjs\n`).join('')
  writeFileSync(join(directory, 'bobbin.yaml'), `plugins:\n${listed}`)
  return bobbin(directory, { BOBBIN_CONFIG_DIR: directory }, 'config', 'check')
}

const fields = {
  kind: '"run"',
  name: '"ping"',
  description: '"Pings."',
  effect: '"external"',
  input: 'z.object({ to: z.string() })',
  run: 'async () => "pong"',
}

/** The source of a plug-in with a tool that has these fields; undefined takes one away. */
const withTool = (changes: Partial<Record<string, string | undefined>>): string => {
  const all = Object.entries({ ...fields, ...changes }).filter(([, source]) => source !== undefined)
  return `{ name: 'pinging', tools: [{ ${all.map(([name, source]) => `${name}: ${source}`).join(', ')} }] }`
}

describe('a tool of a plug-in', () => {
  test.each([
    ['as it should be', {}],
    ['with a JSON schema of its own', { input: 'z.any()', parameters: '{ type: "object" }' }],
    ['that asks', { kind: '"ask"', run: undefined, question: '() => ({ question: "Which?" })' }],
  ])('%s is fine', async (_, changes) => {
    expect(await check(withTool(changes))).toMatchObject({ code: 0, err: '' })
  })

  test.each([
    ['no effect', { effect: undefined }, 'its tool ping needs an `effect`: read, write or external'],
    ['a misspelt effect', { effect: '"External"' }, 'its tool ping needs an `effect`: read, write or external'],
    ['no kind', { kind: undefined }, 'its tool ping needs a `kind`: run, ask, end or child'],
    ['no description', { description: undefined }, '`description` of its tool ping isn’t a text'],
    ['nothing that runs it', { run: undefined }, '`run` of its tool ping isn’t a function'],
    ['an input that checks nothing', { input: '{ type: "object" }' }, '`input` of its tool ping isn’t a schema'],
    ['a title that is no function', { doing: '"Pinging"' }, '`doing` of its tool ping isn’t a function'],
    [
      'an input that no JSON schema shows',
      { input: 'z.object({ when: z.coerce.date() })' },
      'no model can be shown the `input` of its tool ping: Date cannot be represented in JSON Schema',
    ],
    [
      'a name that endpoints refuse',
      { name: '"send ping"' },
      'the name of its tool send ping may have only letters without accents, digits, _ and -, and at most 64 of them',
    ],
  ])('with %s is refused', async (_, changes, reason) => {
    const { code, err } = await check(withTool(changes))
    expect(code).toBe(1)
    expect(err).toContain(`p0.mjs can’t be used: ${reason}`)
  })
})

describe('a plug-in that is a class', () => {
  const guarded = '#db; get db() { if (!this.#db) throw new Error("not started"); return this.#db }'

  test('keeps its own getters to itself: nothing has been started', async () => {
    const tool = `new (class { ${guarded} ${Object.entries(fields)
      .map(([name, source]) => `${name} = ${source};`)
      .join(' ')} })()`
    const source = `new (class { name = 'crm'; tools = [${tool}]; ${guarded} start() { this.#db = {} } })()`
    expect(await check(source)).toMatchObject({ code: 0, err: '' })
  })

  test('is named if a getter that Bobbin needs throws', async () => {
    const { code, err } = await check(`new (class { name = 'crm'; ${guarded} get tools() { return this.db.tools } })()`)
    expect(code).toBe(1)
    expect(err).toMatch(/^The plug-in \S+p0\.mjs cannot be loaded: not started\. Correct the plug-in/)
  })
})

describe('what only parts that ship with Bobbin may have is refused', () => {
  test.each([
    ['variables', '{ name: "crm", settings: { section: "crm", schema: z.any(), variables: { CRM_URL: "url" } } }'],
    ['secretNames', '{ name: "crm", settings: { section: "crm", schema: z.any(), secretNames: () => ["CRM_TOKEN"] } }'],
    ['file', '{ name: "crm", settings: { section: "crm", schema: z.any(), file: "crm.yaml" } }'],
    ['terminal', '{ name: "crm", terminal: async () => 0 }'],
    ['routesAt', '{ name: "crm", routesAt: "agents", routes: () => () => new Response() }'],
  ])('%s', async (field, source) => {
    const { code, err } = await check(source)
    expect(code).toBe(1)
    expect(err).toContain(`p0.mjs can’t be used: only parts that ship with Bobbin may have \`${field}\``)
  })
})

describe('a name that is taken is refused', () => {
  const section = (name: string, its: string) => `{ name: '${name}', settings: { section: '${its}', schema: z.any() } }`

  test.each([
    ['a part of Bobbin', ['{ name: "web" }'], 'The plug-in web has the name of a part of Bobbin.'],
    ['another plug-in', ['{ name: "crm" }', '{ name: "crm" }'], 'The plug-in crm has the name of another plug-in.'],
    [
      'a section of Bobbin',
      [section('crm', 'server')],
      'The plug-in crm has a section of settings called server, and so has Bobbin.',
    ],
    [
      'a section of one of its parts',
      [section('crm', 'web')],
      'The plug-in crm has a section of settings called web, and so has Bobbin.',
    ],
    [
      'a section of another plug-in',
      [section('crm', 'team'), section('erp', 'team')],
      'The plug-in erp has a section of settings called team, and so has the plug-in crm.',
    ],
    [
      'a tool of another plug-in',
      [withTool({}), withTool({}).replace('pinging', 'knocking')],
      'The plug-in knocking has a tool called ping, and so has the plug-in pinging.',
    ],
  ])('%s', async (_, sources, fact) => {
    const { code, err } = await check(...sources)
    expect(code).toBe(1)
    expect(err).toContain(fact)
  })
})
