import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, onTestFinished, test } from 'vitest'
import { type Complaint, complaintText } from '../../src/config/config.ts'
import { editorSchemas } from '../../src/config/json-schemas.ts'
import { loadConfig } from '../../src/config/load.ts'
import { shippedConfigDir } from '../../src/config/shipped.ts'
import { builtinSections } from '../../src/wiring/capabilities.ts'

const root = resolve(import.meta.dirname, '../..')

/** A team's own config directory with these files in it. */
async function directoryOf(files: Record<string, string>): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'bobbin-config-'))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  for (const [name, text] of Object.entries(files)) await writeFile(join(directory, name), text)
  return directory
}

async function load(files: Record<string, string>, environment: Record<string, string> = {}) {
  const directory = await directoryOf(files)
  return { directory, ...loadConfig({ BOBBIN_CONFIG_DIR: directory, ...environment }, directory, builtinSections) }
}

async function complaintsOf(files: Record<string, string>, environment?: Record<string, string>): Promise<Complaint[]> {
  const loaded = await load(files, environment)
  if (!('complaints' in loaded)) throw new Error('there is nothing to complain about')
  return loaded.complaints.map((complaint) => ({
    ...complaint,
    file: complaint.file.replace(`${loaded.directory}/`, ''),
  }))
}

async function configOf(files: Record<string, string>, environment?: Record<string, string>) {
  const loaded = await load(files, environment)
  if (!('config' in loaded)) throw new Error(JSON.stringify(loaded))
  return loaded.config
}

describe('what is wrong in a file is reported with its place', () => {
  const faults: [what: string, file: string, text: string, line: number, column: number, message: RegExp][] = [
    ['YAML that is none', 'bobbin.yaml', 'server:\n  port: [1\nagent: {}', 3, 1, /flow|expected|\]/i],
    ['a tab for indentation', 'bobbin.yaml', 'server:\n\tport: 1', 2, 1, /tab/i],
    ['a key twice', 'bobbin.yaml', 'server:\n  port: 1\n  port: 2', 3, 3, /unique/i],
    ['an alias of nothing', 'bobbin.yaml', 'server:\n  port: *nowhere', 2, 9, /alias|nowhere/i],
    ['an unknown key', 'bobbin.yaml', 'server:\n  prot: 3000', 2, 3, /no setting called server\.prot/],
    [
      'an unknown section',
      'bobbin.yaml',
      'agent:\n  max_steps: 3\nserverr:\n  port: 1',
      3,
      1,
      /no setting called serverr/,
    ],
    ['a wrong type', 'bobbin.yaml', 'agent:\n  max_steps: "many"', 2, 14, /agent\.max_steps: .*number/],
    ['a time zone that there isn’t', 'bobbin.yaml', 'agent:\n  time_zone: Mars/Base', 2, 14, /Europe\/Berlin/],
    ['a number out of range', 'bobbin.yaml', '# ours\nagent:\n  max_steps: 501', 3, 14, /agent\.max_steps: .*500/],
    ['a window too small', 'bobbin.yaml', 'agent: { window_messages: 9 }', 1, 27, /agent\.window_messages: .*10/],
    ['a port that is none', 'bobbin.yaml', 'server:\n  port: 70000', 2, 9, /server\.port: .*65535/],
    ['a section that is a list', 'bobbin.yaml', 'server:\n  - port', 2, 3, /server: .*(object|record)/],
    ['a file that is a list', 'bobbin.yaml', '- server', 1, 1, /object/],
    ['an action that is none', 'hitl_rules.yaml', 'defaults:\n  write: maybe', 2, 10, /defaults\.write/],
    [
      'a rule without a reason',
      'hitl_rules.yaml',
      'commands:\n  - programs: [now]\n    risk: high',
      2,
      5,
      /commands\.0\.reason/,
    ],
    [
      'an address that is none',
      'models.yaml',
      'slots:\n  base:\n    base_url: nowhere',
      3,
      15,
      /slots\.base\.base_url/,
    ],
  ]

  test.each(faults)('%s', async (_, file, text, line, column, message) => {
    const [complaint, ...more] = await complaintsOf({ [file]: text })
    expect(complaint).toMatchObject({ file, line, column, remedy: expect.stringMatching(/\w+.*[.?]$/) })
    expect(complaint?.message).toMatch(message)
    expect(more).toEqual([])
    expect(complaintText(complaint as Complaint)).toMatch(new RegExp(`^${file}:${line}:${column}: .+\\. .+[.?]$`))
  })

  test('a variable that is not set, where it is asked for', async () => {
    const text = `slots:\n  base:\n    id: m\n    api_key: \${THE_KEY}\n`
    const [complaint, ...more] = await complaintsOf({ 'models.yaml': text })
    expect(complaint).toMatchObject({
      file: 'models.yaml',
      line: 4,
      column: 14,
      remedy: expect.stringContaining('THE_KEY'),
    })
    expect(complaint?.message).toContain('THE_KEY is not set')
    expect(more).toEqual([])
  })

  test('everything in all files at once', async () => {
    const complaints = await complaintsOf({
      'bobbin.yaml': 'agent:\n  max_steps: 0\nserver:\n  port: -1',
      'models.yaml': 'temperature: 3',
      'hitl_rules.yaml': 'x: 1',
    })
    expect(complaints.map(({ file, line }) => `${file}:${line}`).toSorted()).toEqual([
      'bobbin.yaml:2',
      'bobbin.yaml:4',
      'hitl_rules.yaml:1',
      'models.yaml:1',
    ])
  })

  test('a file that cannot be read', async () => {
    const directory = await directoryOf({})
    await mkdir(join(directory, 'bobbin.yaml'))
    const loaded = loadConfig({ BOBBIN_CONFIG_DIR: directory }, directory, builtinSections)
    expect(loaded).toMatchObject({
      complaints: [{ file: join(directory, 'bobbin.yaml'), remedy: expect.stringMatching(/\w/) }],
    })
  })

  test('a directory that is not there: a team’s rules must not fall away silently', async () => {
    const loaded = loadConfig({ BOBBIN_CONFIG_DIR: '/nowhere/at/all' }, root, builtinSections)
    expect(loaded).toMatchObject({
      complaints: [
        { message: expect.stringContaining('/nowhere/at/all'), remedy: expect.stringContaining('BOBBIN_CONFIG_DIR') },
      ],
    })
  })
})

describe('the environment', () => {
  test('sets what capabilities need, and a fault names the variable but not its value', async () => {
    const { sections } = await configOf(
      { 'bobbin.yaml': 'telemetry:\n  endpoint: http://old:4318' },
      { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://new:4318', OTEL_EXPORTER_OTLP_HEADERS: 'a=b%20c,d=e' },
    )
    expect(sections.telemetry).toEqual({ endpoint: 'http://new:4318', headers: 'a=b%20c,d=e' })
    const complaints = await complaintsOf(
      {},
      {
        OTEL_EXPORTER_OTLP_ENDPOINT: 'http://bot:hunter2-9Kx@collector',
        OTEL_EXPORTER_OTLP_HEADERS: 'hunter2-9Kx',
        BOBBIN_METRICS_TOKEN: 'hunter2-9Kx',
      },
    )
    const texts = complaints.map(complaintText)
    expect(texts).toEqual([
      expect.stringMatching(/^environment: OTEL_EXPORTER_OTLP_ENDPOINT: .*HEADERS/),
      expect.stringMatching(/^environment: OTEL_EXPORTER_OTLP_HEADERS: .*name=value/),
      expect.stringMatching(/^environment: BOBBIN_METRICS_TOKEN: .*16/),
    ])
    expect(texts.join()).not.toContain('hunter2')
  })

  const base = { MODEL_BASE_API_KEY: 'k', MODEL_BASE_BASE_URL: 'http://localhost:1/v1', MODEL_BASE_ID: 'm' }

  test.each(['postgres:/u@h/db', ' postgres://u@h/db', 'POSTGRES://u@h/db', 'postgres:u@h/db'])(
    'DATABASE_URL %j is no file of SQLite',
    async (DATABASE_URL) => {
      const [complaint, ...more] = await complaintsOf({}, { DATABASE_URL })
      expect(complaint).toMatchObject({ remedy: expect.stringContaining('postgres://user:password@host') })
      expect(more).toEqual([])
    },
  )

  test.each(['MODEL_BASE_API_KEY', 'DATABASE_URL'])('quotes around %s are named, and not its value', async (name) => {
    const [complaint] = await complaintsOf({}, { ...base, [name]: '"hunter2-9Kx"' })
    expect(complaint).toMatchObject({ file: 'environment', remedy: expect.stringContaining('--env-file') })
    expect(complaint?.message).toBe(`${name} begins and ends with a quotation mark`)
  })

  test.each(['u:100%zz@127.0.0.1/db', 'u:p@127.0.0.1/d%'])('DATABASE_URL with a lone %%: %s', async (rest) => {
    const [complaint, ...more] = await complaintsOf({}, { DATABASE_URL: `postgres://${rest}` })
    expect(complaint).toMatchObject({ file: 'environment', remedy: expect.stringContaining('%25') })
    expect(complaintText(complaint as Complaint)).not.toContain(rest)
    expect(more).toEqual([])
  })

  test.each(['http', '-1', '65536', '3000.5'])('BOBBIN_PORT %s is no port', async (port) => {
    const [complaint, ...more] = await complaintsOf({}, { BOBBIN_PORT: port })
    expect(complaint).toMatchObject({ file: 'environment', remedy: expect.stringContaining('65535') })
    expect(complaint?.message).toBe('BOBBIN_PORT isn’t a port')
    expect(more).toEqual([])
  })

  test('a key in a variable that is for something else is in no complaint', async () => {
    const ofModels = ['MODEL_BASE_BASE_URL', 'MODEL_BASE_CONTEXT', 'MODEL_BASE_TEMPERATURE', 'MODEL_BASE_PRICE_INPUT']
    const ofPlatforms = ['SLACK_API_URL', 'DISCORD_API_URL']
    const ofProcess = ['BOBBIN_PORT', 'BOBBIN_LOG_LEVEL', 'BOBBIN_NODE']
    const names = [...ofModels, 'MODEL_EMBEDDING_DIMENSIONS', ...ofPlatforms, ...ofProcess]
    const accounts = { SLACK_BOT_TOKEN: 'xoxb-1', SLACK_APP_TOKEN: 'xapp-1', DISCORD_TOKEN: 'd' }
    const embedding = { MODEL_EMBEDDING_API_KEY: 'e', MODEL_EMBEDDING_ID: 'e' }
    const mistaken = Object.fromEntries(names.map((name) => [name, 'user:hunter2-9Kx@gateway/v1']))
    const complaints = await complaintsOf({}, { ...base, ...accounts, ...embedding, ...mistaken })
    for (const name of names)
      expect(complaints.map(({ message }) => message)).toContainEqual(expect.stringContaining(name))
    expect(JSON.stringify(complaints)).not.toContain('hunter2')
  })

  test.each([
    ['a key alone', { MODEL_BASE_API_KEY: 'k' }, 'MODEL_BASE_ID'],
    ['an address alone', { MODEL_BASE_BASE_URL: 'http://localhost:1/v1' }, 'MODEL_BASE_ID'],
    ['key and address without an id', { ...base, MODEL_BASE_ID: '' }, 'MODEL_BASE_ID'],
    ['an id alone, which goes to OpenAI', { MODEL_BASE_ID: 'gpt-4o' }, 'MODEL_BASE_API_KEY'],
    ['an address that is none', { ...base, MODEL_BASE_BASE_URL: 'localhost:8000' }, 'MODEL_BASE_BASE_URL'],
    ['an address of files', { ...base, MODEL_BASE_BASE_URL: 'file:///etc/passwd' }, 'MODEL_BASE_BASE_URL'],
  ])('half a model is told what is missing: %s', async (_, environment, missing) => {
    const [complaint, ...more] = await complaintsOf({}, environment)
    expect(complaint?.message).toContain(missing)
    expect(complaint?.remedy).toMatch(/\w.*\.$/)
    expect(more).toEqual([])
    expect(JSON.stringify(complaint)).not.toContain('"k"')
  })

  test('a whole model is taken, with the figures that are known of it', async () => {
    const { model } = await configOf({}, { ...base, MODEL_BASE_ID: 'gpt-4o' })
    expect(model.base).toEqual({
      id: 'gpt-4o',
      baseUrl: 'http://localhost:1/v1',
      apiKey: 'k',
      contextLimit: 128_000,
      outputLimit: 16_384,
      temperature: 0.7,
      price: { input: 2.5, cached: 1.25, output: 10 },
      can: ['vision', 'tools', 'streaming', 'json'],
    })
  })

  test('key and id suffice for OpenAI, address and id for a local server', async () => {
    expect((await configOf({}, { MODEL_BASE_API_KEY: 'k', MODEL_BASE_ID: 'gpt-4o' })).model.base?.baseUrl).toBe(
      'https://api.openai.com/v1',
    )
    const { MODEL_BASE_API_KEY: _, ...local } = base
    expect((await configOf({}, local)).model.base).toMatchObject({ id: 'm', apiKey: '' })
  })

  test('none is the practice model', async () => {
    expect((await configOf({})).model.base).toBeUndefined()
  })

  test('overrides the files; an empty value counts as unset', async () => {
    const files = { 'bobbin.yaml': 'server: { port: 4000, host: 127.0.0.1 }' }
    expect((await configOf(files)).server.port).toBe(4000)
    expect((await configOf(files, { BOBBIN_PORT: '5000' })).server.port).toBe(5000)
    expect((await configOf(files, { BOBBIN_PORT: '' })).server.port).toBe(4000)
    // Kubernetes sets it so where a service is called bobbin.
    expect((await configOf(files, { BOBBIN_PORT: 'tcp://10.96.3.7:3000' })).server.port).toBe(4000)
    expect((await configOf(files, { BOBBIN_PORT: '0' })).server.port).toBe(0)
    expect((await configOf(files, { BOBBIN_HOST: '0.0.0.0' })).server.host).toBe('0.0.0.0')
  })

  test('fills a key in a file in', async () => {
    const files = { 'models.yaml': `slots: { base: { id: m, api_key: "\${THE_KEY}" } }` }
    expect((await configOf(files, { THE_KEY: 'secret' })).model.base?.apiKey).toBe('secret')
  })
})

describe('a team’s own files', () => {
  test('need only the lines that differ', async () => {
    const shipped = await configOf({})
    const own = await configOf({
      'bobbin.yaml': 'agent:\n  max_steps: 7\n',
      'models.yaml': '',
      'hitl_rules.yaml': '# none',
    })
    expect(own.agent).toEqual({ ...shipped.agent, maxSteps: 7 })
    expect({ ...own, agent: 0, configDir: 0, dataDir: 0 }).toEqual({ ...shipped, agent: 0, configDir: 0, dataDir: 0 })
  })

  test('replace lists as a whole', async () => {
    const own = await configOf({
      'hitl_rules.yaml': 'use:\n  - { tools: ["*"], channels: [C1], reason: Nothing today. }\n',
      'bobbin.yaml': 'console: { projects: [sales, support] }',
    })
    expect(own.rules.use).toEqual([{ tools: ['*'], channels: ['C1'], reason: 'Nothing today.' }])
    expect(own.rules.defaults).toEqual({ read: 'allow', write: 'allow', external: 'require_approval' })
    expect(own.console.projects).toEqual(['sales', 'support'])
  })

  test('that leave a section empty leave it as it is', async () => {
    expect((await configOf({ 'bobbin.yaml': 'agent:\nserver:\n' })).agent.maxSteps).toBe(100)
  })

  test('name plug-ins relative to themselves', async () => {
    const own = await configOf({ 'bobbin.yaml': 'plugins:\n  - path: ./mine.ts\n    options: { some_key: 1 }\n' })
    expect(own.plugins).toEqual([{ path: join(own.configDir, 'mine.ts'), options: { some_key: 1 } }])
  })

  test('make a configuration that nobody can change', async () => {
    const config = await configOf({})
    expect(() => Object.assign(config.agent, { maxSteps: 1 })).toThrow(TypeError)
    expect(() => config.rules.use.pop()).toThrow(TypeError)
  })
})

test('the shipped schemas are what the code makes, for every file that is shipped', async () => {
  const directory = join(shippedConfigDir, 'schemas')
  const made = editorSchemas(builtinSections)
  expect((await readdir(directory)).toSorted()).toEqual(Object.keys(made).toSorted())
  for (const [name, text] of Object.entries(made)) expect(await readFile(join(directory, name), 'utf8')).toBe(text)
  const files = (await readdir(shippedConfigDir)).filter((name) => name.endsWith('.yaml'))
  expect(files.map((name) => name.replace('.yaml', '.schema.json')).toSorted()).toEqual(Object.keys(made).toSorted())
  for (const name of files) {
    expect(await readFile(join(shippedConfigDir, name), 'utf8')).toContain(
      `$schema=./schemas/${name.replace('.yaml', '.schema.json')}`,
    )
  }
})

test('for an editor, a plug-in’s section is valid, and what is wrong in one of ours isn’t', async () => {
  const schema = JSON.parse(editorSchemas(builtinSections)['bobbin.schema.json'] ?? '')
  const isValid = new Ajv2020({ strict: false }).compile(schema)
  expect(isValid({ plugins: [{ path: './crm.mjs' }], crm: { url: 'https://crm.example' } })).toBe(true)
  expect(isValid({ agent: { steps: 'many' } })).toBe(false)
  expect(isValid({ timeZone: 'Europe/Berlin' })).toBe(false)
})

describe('bobbin config check', () => {
  const run = promisify(execFile)

  async function bobbin(args: string[], files: Record<string, string> = {}) {
    const directory = await directoryOf(files)
    const env = { PATH: process.env.PATH, BOBBIN_HOME: directory, BOBBIN_CONFIG_DIR: directory }
    const result = await run(process.execPath, [join(root, 'src/bin.js'), ...args], { cwd: directory, env }).then(
      ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
      ({ code, stdout, stderr }) => ({ code, stdout, stderr }),
    )
    return { ...result, directory }
  }

  test('says that all is well, and ends with 0', async () => {
    const { code, stdout, stderr, directory } = await bobbin(['config', 'check'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toContain('The configuration is fine.')
    expect(stdout).toContain(directory)
    expect(stdout).toContain('practice model')
  })

  test('says what is wrong, a line each, and ends with 1', async () => {
    const { code, stdout, stderr, directory } = await bobbin(['config', 'check'], {
      'bobbin.yaml': 'agent:\n  max_steps: 0\n  max_stepz: 1\n',
    })
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    const lines = stderr.trim().split('\n').toSorted()
    expect(lines[0]).toMatch(new RegExp(`^${directory}/bobbin\\.yaml:2:14: .+`))
    expect(lines[1]).toMatch(new RegExp(`^${directory}/bobbin\\.yaml:3:3: .+`))
    expect(lines).toHaveLength(2)
  })

  test('start does not start with what check complains of', async () => {
    const { code, stderr, directory } = await bobbin(['start'], { 'bobbin.yaml': 'server:\n  port: seven\n' })
    expect(code).toBe(1)
    expect(stderr).toMatch(/bobbin\.yaml:2:9: /)
    expect(await readdir(directory)).toEqual(['bobbin.yaml'])
  })

  test('an unknown command ends with 2', async () => {
    expect(await bobbin(['config', 'chekc'])).toMatchObject({ code: 2, stderr: expect.stringContaining('chekc') })
    expect(await bobbin(['strat'])).toMatchObject({ code: 2, stderr: expect.stringContaining('strat') })
  })

  test('a plug-in that cannot be loaded is reported with a remedy', async () => {
    const { code, stderr } = await bobbin(['start'], {
      'bobbin.yaml': 'plugins:\n  - path: ./none.ts\nserver: { port: 0 }\n',
    })
    expect(code).toBe(1)
    expect(stderr).toMatch(/none\.ts cannot be loaded.*config\/bobbin\.yaml/s)
  })
})
