import { describe, expect, test } from 'vitest'
import { code, folderOf, type Source, sources } from './sources.ts'

const adapter = ['domain', 'kit', 'platforms', 'platforms/calls', 'platforms/gaps', 'platforms/live', 'platforms/words']

/**
 * Which folder of src/ may import from which: arrows point down and never back. The table is exact, so a new arrow is
 * decided here, and an unused one is removed.
 */
const allowed: Record<string, string[]> = {
  'bin.js': ['cli'],
  cli: [
    'config',
    'doctor',
    'domain',
    'export',
    'inbound',
    'kit',
    'main.ts',
    'model',
    'platforms/discord',
    'platforms/slack',
    'store',
    'trust',
    'turn/port',
    'wiring',
  ],
  'main.ts': ['api', 'config', 'inbound', 'jobs', 'kit', 'platforms/console', 'store', 'turn', 'wiring'],
  wiring: [
    'api',
    'capabilities/agents',
    'capabilities/alarms',
    'capabilities/commands',
    'capabilities/compositions',
    'capabilities/context',
    'capabilities/delegation',
    'capabilities/documents',
    'capabilities/ending',
    'capabilities/files',
    'capabilities/mcp',
    'capabilities/more-tools',
    'capabilities/planning',
    'capabilities/plans',
    'capabilities/questions',
    'capabilities/skills',
    'capabilities/spending',
    'capabilities/telemetry',
    'capabilities/todos',
    'capabilities/web',
    'config',
    'domain',
    'engine',
    'inbound',
    'jobs',
    'kit',
    'model',
    'outbound',
    'platforms',
    'platforms/console',
    'platforms/discord',
    'platforms/slack',
    'programs',
    'store',
    'trust',
    'turn/ask',
    'turn/hooks',
    'turn/port',
    'turn/state',
    'workspace',
  ],
  api: [
    'config',
    'domain',
    'export',
    'inbound',
    'kit',
    'outbound',
    'platforms',
    'platforms/console',
    'store',
    'trust',
    'turn/port',
    'turn/settle',
    'turn/state',
    'workspace',
  ],
  inbound: ['domain', 'jobs', 'kit', 'outbound', 'platforms', 'store', 'trust', 'turn/port', 'turn/state', 'workspace'],
  'capabilities/agents': ['config', 'domain', 'kit', 'store', 'turn/port', 'turn/state'],
  'capabilities/files': ['domain', 'kit', 'turn/port', 'workspace'],
  'capabilities/documents': ['config', 'domain', 'jobs', 'kit', 'store', 'turn/port', 'workspace'],
  'capabilities/web': ['config', 'domain', 'kit', 'turn/port', 'workspace'],
  'capabilities/commands': ['domain', 'kit', 'programs', 'turn/port'],
  'capabilities/alarms': ['domain', 'kit', 'store', 'trust', 'turn/port'],
  'capabilities/compositions': ['config', 'domain', 'kit', 'store', 'turn/port'],
  'capabilities/context': ['config', 'domain', 'jobs', 'kit', 'store', 'turn/port', 'workspace'],
  'capabilities/mcp': ['config', 'domain', 'kit', 'store', 'trust', 'turn/port', 'workspace'],
  'capabilities/planning': ['domain', 'kit', 'store', 'turn/port'],
  'capabilities/plans': ['config', 'domain', 'jobs', 'kit', 'store', 'turn/port', 'turn/state'],
  'capabilities/questions': ['domain', 'kit', 'turn/port'],
  'capabilities/skills': ['config', 'domain', 'kit', 'programs', 'store', 'trust', 'turn/port', 'workspace'],
  'capabilities/spending': ['config', 'domain', 'kit', 'store', 'trust', 'turn/port'],
  'capabilities/telemetry': ['config', 'domain', 'kit', 'turn/port'],
  'capabilities/todos': ['domain', 'kit', 'store', 'turn/port'],
  'capabilities/ending': ['domain', 'turn/port'],
  'capabilities/more-tools': ['domain', 'kit', 'turn/port'],
  'capabilities/delegation': ['config', 'domain', 'kit', 'turn/port'],
  turn: ['domain', 'kit', 'store', 'turn/ask', 'turn/port', 'turn/read', 'turn/settle', 'turn/state'],
  'turn/read': [
    'domain',
    'kit',
    'platforms',
    'store',
    'trust',
    'turn/port',
    'turn/prompt',
    'turn/settle',
    'turn/state',
    'workspace',
  ],
  'turn/settle': ['domain', 'kit', 'outbound', 'store', 'trust', 'turn/hooks', 'turn/port', 'turn/state', 'workspace'],
  'turn/ask': [
    'domain',
    'kit',
    'model',
    'store',
    'trust',
    'turn/hooks',
    'turn/port',
    'turn/prompt',
    'turn/state',
    'workspace',
  ],
  'turn/state': [
    'domain',
    'jobs',
    'kit',
    'model',
    'outbound',
    'platforms',
    'store',
    'trust',
    'turn/hooks',
    'turn/port',
    'turn/prompt',
    'workspace',
  ],
  'turn/prompt': ['domain', 'kit', 'store', 'turn/port'],
  'turn/hooks': ['config', 'domain', 'jobs', 'kit', 'store', 'turn/port'],
  'turn/port': ['config', 'domain', 'jobs', 'kit', 'outbound', 'platforms', 'store', 'trust', 'workspace'],
  programs: ['config', 'domain', 'kit', 'workspace'],
  outbound: ['domain', 'kit', 'platforms', 'platforms/words', 'store', 'trust', 'workspace'],
  trust: ['domain', 'kit', 'store', 'workspace'],
  'platforms/slack': adapter,
  'platforms/discord': adapter,
  'platforms/console': ['domain', 'platforms', 'platforms/words'],
  'platforms/calls': ['kit', 'platforms'],
  'platforms/gaps': ['platforms'],
  'platforms/live': ['domain'],
  'platforms/words': ['domain', 'kit', 'platforms'],
  platforms: ['domain', 'kit'],
  export: ['domain', 'kit', 'store', 'workspace'],
  jobs: ['domain', 'kit', 'store'],
  doctor: ['domain', 'kit', 'store'],
  model: ['kit'],
  engine: ['domain', 'kit', 'store'],
  workspace: ['domain', 'kit', 'store'],
  store: ['domain', 'kit'],
  config: ['kit'],
  domain: ['kit'],
  kit: [],
}

/**
 * The folders that Slack and Discord share, lowest first. A folder imports only from those before it, and never from the
 * files above all of them, which build the adapter.
 */
const rooms = [
  'words',
  'api',
  'text',
  'directory',
  'files',
  'cards',
  'pages',
  'post',
  'live',
  'heard',
  'gaps',
  'interactions',
  'receive',
  'doctor',
]
const mostInRoom = 12

/** Packages that only one place may import. */
const homes: Record<string, string[]> = {
  kysely: ['store'],
  'better-sqlite3': ['store', 'capabilities/documents'],
  pg: ['store'],
  'pg-boss': ['engine'],
  hono: ['api', 'platforms/console'],
  '@hono/node-server': ['api'],
  '@fastify/busboy': ['api'],
  '@modelcontextprotocol/sdk': ['capabilities/mcp'],
  openai: ['model'],
  pino: ['wiring'],
  yaml: ['config', 'kit'],
  croner: ['kit'],
  'file-type': ['kit'],
  re2js: ['kit', 'capabilities/documents', 'capabilities/files'],
  'p-limit': ['store', 'kit', 'turn/settle', 'outbound', 'capabilities/documents'],
  'pdfjs-dist': ['kit'],
  mammoth: ['kit'],
  exceljs: ['kit'],
  yauzl: ['kit'],
  '@slack/bolt': ['platforms/slack'],
  '@slack/web-api': ['platforms/slack'],
  '@slack/types': ['platforms/slack'],
  'discord.js': ['platforms/discord'],
  unbash: ['kit'],
  undici: ['kit'],
  'ipaddr.js': ['kit'],
  linkedom: ['kit'],
  '@mozilla/readability': ['kit'],
  turndown: ['kit'],
  'mdast-util-from-markdown': ['kit'],
  '@opentelemetry/api': ['capabilities/telemetry'],
  '@opentelemetry/exporter-metrics-otlp-proto': ['capabilities/telemetry'],
  '@opentelemetry/exporter-prometheus': ['capabilities/telemetry'],
  '@opentelemetry/exporter-trace-otlp-proto': ['capabilities/telemetry'],
  '@opentelemetry/resources': ['capabilities/telemetry'],
  '@opentelemetry/sdk-metrics': ['capabilities/telemetry'],
  '@opentelemetry/sdk-trace': ['capabilities/telemetry'],
}

/** Modules with side effects, which the domain and pure decisions may not import. */
const outside = /^node:(fs|fs\/promises|net|http|https|child_process|dgram|dns|worker_threads|process|stream)$/

const arrows = (files: Source[]) =>
  files.flatMap(({ path, own }) =>
    own.map((target) => ({ from: folderOf(path), to: folderOf(target), arrow: `${path} → ${target}` })),
  )

const foreign = arrows(code).filter(({ from, to }) => from !== to && !to.startsWith('..'))

describe('imports', () => {
  test('go only where the table allows', () => {
    expect(foreign.filter(({ from, to }) => !allowed[from]?.includes(to)).map(({ arrow }) => arrow)).toEqual([])
  })

  test('use every arrow of the table', () => {
    const used = new Set(foreign.map(({ from, to }) => `${from} → ${to}`))
    const listed = Object.entries(allowed).flatMap(([from, targets]) => targets.map((to) => `${from} → ${to}`))
    expect(listed.filter((arrow) => !used.has(arrow))).toEqual([])
    expect(Object.keys(allowed).toSorted()).toEqual([...new Set(code.map(({ path }) => folderOf(path)))].toSorted())
  })

  test('have no cycles, not even for types', () => {
    const graph = new Map(sources.map(({ path, own }) => [path, own]))
    const done = new Set<string>()
    const circles: string[] = []
    function visit(path: string, trail: string[]): void {
      if (trail.includes(path)) circles.push([...trail.slice(trail.indexOf(path)), path].join(' → '))
      if (trail.includes(path) || done.has(path)) return
      for (const next of graph.get(path) ?? []) visit(next, [...trail, path])
      done.add(path)
    }
    for (const path of graph.keys()) visit(path, [])
    expect(circles).toEqual([])
  })

  test.each(['slack', 'discord'])('within %s go from one room to those below it', (platform) => {
    const files = code.filter(({ path }) => path.startsWith(`platforms/${platform}/`))
    const roomOf = (path: string) => path.split('/').slice(2, -1).join('/')
    const inRooms = files.filter(({ path }) => roomOf(path) !== '')
    const counts = Object.groupBy(inRooms, ({ path }) => roomOf(path))
    expect(Object.keys(counts).toSorted()).toEqual(rooms.toSorted())
    expect(Object.entries(counts).filter(([, all = []]) => all.length > mostInRoom)).toEqual([])
    const upward = inRooms.flatMap(({ path, own }) =>
      own
        .filter((target) => target.startsWith(`platforms/${platform}/`) && roomOf(target) !== roomOf(path))
        .filter((target) => rooms.indexOf(roomOf(target)) > rooms.indexOf(roomOf(path)) || roomOf(target) === '')
        .map((target) => `${path} → ${target}`),
    )
    expect(upward).toEqual([])
  })

  test('name existing files with their extensions', () => {
    const known = new Set(sources.map(({ path }) => path))
    const missing = arrows(code).filter(
      ({ arrow, to }) => !to.startsWith('..') && !known.has(arrow.split(' → ')[1] ?? ''),
    )
    expect(missing.map(({ arrow }) => arrow)).toEqual([])
  })

  test('reach the document parsers only from their worker', () => {
    const graph = new Map(code.map(({ path, own }) => [path, own]))
    const reached = new Set<string>()
    function visit(path: string): void {
      if (reached.has(path)) return
      reached.add(path)
      for (const next of graph.get(path) ?? []) visit(next)
    }
    visit('main.ts')
    visit('cli/main.ts')
    expect(reached).toContain('kit/documents/pool.ts')
    expect([...reached].filter((path) => path.startsWith('kit/documents/parsers/'))).toEqual([])
  })

  test('of restricted packages stay in their place', () => {
    const strays = code.flatMap(({ path, packages }) =>
      packages.flatMap((specifier) => {
        const name = specifier
          .split('/')
          .slice(0, specifier.startsWith('@') ? 2 : 1)
          .join('/')
        return homes[name]?.includes(folderOf(path)) === false ? [`${path} → ${specifier}`] : []
      }),
    )
    expect(strays).toEqual([])
  })

  test('of the domain and the practice model have no side effects', () => {
    const pure = code.filter(({ path }) => /^(domain|kit\/practice)\//.test(path))
    expect(
      pure.flatMap(({ path, packages }) =>
        packages.filter((one) => outside.test(one)).map((one) => `${path} → ${one}`),
      ),
    ).toEqual([])
  })

  test('of the console’s page stay within the page', () => {
    const pages = sources.filter(({ path }) => path.includes('/public/'))
    const out = arrows(pages).filter(({ arrow }) => !arrow.split(' → ')[1]?.startsWith('platforms/console/public/'))
    expect(out.map(({ arrow }) => arrow)).toEqual([])
    const map = sources.find(({ path }) => path.endsWith('public/index.html'))?.text ?? ''
    const strays = pages.flatMap(({ path, packages }) =>
      packages.filter((name) => !map.includes(`"${name}"`)).map((name) => `${path} → ${name}`),
    )
    expect(strays).toEqual([])
  })
})

describe('files', () => {
  const most = 300

  test(`have at most ${most} lines`, () => {
    const long = sources.map(({ path, text }) => ({ path, lines: text.split('\n').length - 1 }))
    expect(long.filter(({ lines }) => lines > most).map(({ path, lines }) => `${path}: ${lines}`)).toEqual([])
  })

  test('are mostly under 150 lines', () => {
    const lengths = code.map(({ text }) => text.split('\n').length)
    expect(lengths.filter((lines) => lines <= 150).length / lengths.length).toBeGreaterThan(0.9)
  })

  test('read the environment only in cli/ and config/', () => {
    const readers = code
      .filter(({ text }) => /\bprocess\s*\.\s*env\b|\bloadEnvFile\b/.test(text))
      .map(({ path }) => path)
    // bin.js restarts itself with another Node and passes the environment on.
    expect(readers.filter((path) => !/^(cli|config)\/|^bin\.js$/.test(path))).toEqual([])
  })

  test('decode UTF-16 where half a character is looked after', () => {
    const decoding = code.filter(({ text }) => /toString\(\s*'(utf-?16le|ucs-?2)'/i.test(text))
    expect(decoding.map(({ path }) => path)).toEqual(['kit/text/utf16.ts'])
  })

  test('keep no module-level state', () => {
    // The console's page may, because a page is loaded once.
    const stateful = code.filter(({ text }) => /^(export\s+)?(let|var)\s/m.test(text))
    expect(stateful.map(({ path }) => path)).toEqual([])
  })

  test('are TypeScript that Node erases, without `any`', () => {
    const typed = code.filter(({ path }) => path.endsWith('.ts'))
    const odd = typed.filter(({ text }) =>
      /^(export )?(declare )?(const )?enum\s|^(export )?namespace\s|^\s*@\w+\(.*\)\s*$|constructor\(\s*(private|public|protected|readonly)\s|: any\b|\bas any\b/m.test(
        text,
      ),
    )
    expect(odd.map(({ path }) => path)).toEqual([])
  })

  test('have no empty catch', () => {
    expect(code.filter(({ text }) => /catch(\s*\(\w+\))?\s*\{\s*\}/.test(text)).map(({ path }) => path)).toEqual([])
  })
})

describe('building', () => {
  /** Objects that are built by hand, in one place. */
  const builders = [
    'Store.open',
    'takeProcessLock',
    'consolePages',
    'connectPlatforms',
    'consolePlatform',
    'createApp',
    'createLog',
    'embeddedEngine',
    'listen',
    'loadPlugins',
    'new Deliverer',
    'discordPlatform',
    'new Capabilities',
    'new Presenter',
    'new TextStream',
    'openStaging',
    'lateSandbox',
    'lateContainment',
    'openWeb',
    'createSecrets',
    'openaiModel',
    'practiceModel',
    'slackPlatform',
    'startBot',
    'workspacesIn',
  ]

  test('is done only in main.ts, wiring/ and cli/, and in the doctor', () => {
    const strays = code.flatMap(({ path, text }) =>
      builders
        .filter((name) => {
          const called = new RegExp(`(?<!function )(?<![.\\w])${name.replace('.', '\\.')}(<[^>]*>)?\\(`)
          return called.test(text) && !/^(main\.ts|wiring\/|cli\/)|\/checks\.ts$/.test(path)
        })
        .map((name) => `${path}: ${name}`),
    )
    expect(strays).toEqual([])
  })

  test('lists only functions that are called', () => {
    const builder = code
      .filter(({ path }) => /^(main\.ts|wiring\/|cli\/)/.test(path))
      .map(({ text }) => text)
      .join('\n')
    expect(builders.filter((name) => !builder.includes(name))).toEqual([])
  })
})
