import { describe, expect, test } from 'vitest'
import { code, folderOf, type Source, sources } from './sources.ts'

/**
 * Which folder of src/ may import from which: arrows point down and never back. The table is exact, so a new arrow is a
 * decision that is made here, and one that nobody uses any more is taken out.
 */
const allowed: Record<string, string[]> = {
  domain: [],
  'log.ts': [],
  'version.ts': [],
  'descriptors.ts': [],
  'bot.ts': ['chat', 'domain'],

  config: ['domain'],
  store: ['domain'],
  model: ['domain'],
  workspace: ['domain'],
  secrets: ['domain'],
  shell: ['domain'],
  sandbox: ['domain'],
  patterns: ['domain'],
  web: ['domain', 'workspace'],
  chat: ['domain'],
  'plugins.ts': ['config', 'domain'],

  doctor: ['descriptors.ts', 'domain', 'store'],
  engine: ['domain', 'store'],
  decisions: ['domain', 'store'],
  documents: ['domain', 'patterns', 'workspace'],
  tools: ['domain', 'patterns', 'shell', 'workspace'],
  agent: ['domain', 'model'],
  'chat/console': ['chat', 'domain'],
  'chat/markdown': [],
  'chat/slack': ['chat', 'chat/markdown', 'domain'],
  'chat/discord': ['chat', 'chat/markdown', 'domain'],

  sessions: ['agent', 'chat', 'config', 'decisions', 'domain', 'store', 'workspace'],
  api: ['chat', 'chat/console', 'config', 'decisions', 'domain', 'sessions', 'store', 'workspace'],

  'reports.ts': ['domain'],
  'stopping.ts': ['reports.ts'],
  'soundness.ts': ['domain', 'engine', 'reports.ts', 'store'],
  'looks.ts': ['config', 'decisions', 'documents', 'domain', 'engine', 'reports.ts', 'sessions', 'store'],
  'connect.ts': ['chat', 'chat/discord', 'chat/slack', 'config'],
  'main.ts': [
    'agent',
    'api',
    'bot.ts',
    'chat',
    'chat/console',
    'config',
    'connect.ts',
    'decisions',
    'descriptors.ts',
    'documents',
    'domain',
    'engine',
    'log.ts',
    'looks.ts',
    'model',
    'plugins.ts',
    'reports.ts',
    'sandbox',
    'secrets',
    'sessions',
    'soundness.ts',
    'stopping.ts',
    'store',
    'tools',
    'version.ts',
    'web',
    'workspace',
  ],
  commands: [
    'chat/discord',
    'chat/slack',
    'config',
    'decisions',
    'doctor',
    'documents',
    'domain',
    'log.ts',
    'main.ts',
    'model',
    'plugins.ts',
    'sandbox',
    'secrets',
    'sessions',
    'store',
    'tools',
  ],
  'bin.js': ['commands'],
}

/** Packages that belong to one place. Everything else is free. */
const homes: Record<string, string[]> = {
  kysely: ['store'],
  'better-sqlite3': ['store', 'documents'],
  hono: ['api', 'chat/console'],
  '@hono/node-server': ['api'],
  '@fastify/busboy': ['api'],
  openai: ['model'],
  pino: ['log.ts'],
  yaml: ['config'],
  'node-cron': ['domain'],
  'file-type': ['documents', 'workspace'],
  re2js: ['domain', 'documents', 'patterns', 'tools'],
  'p-limit': ['agent', 'documents', 'sessions'],
  'pdfjs-dist': ['documents'],
  mammoth: ['documents'],
  exceljs: ['documents'],
  yauzl: ['documents'],
  '@slack/bolt': ['chat/slack'],
  '@slack/web-api': ['chat/slack'],
  '@slack/types': ['chat/slack'],
  'discord.js': ['chat/discord'],
  unbash: ['shell'],
  undici: ['web', 'sandbox'],
  'ipaddr.js': ['domain', 'web', 'sandbox'],
  linkedom: ['documents'],
  '@mozilla/readability': ['documents'],
  turndown: ['documents'],
  'mdast-util-from-markdown': ['chat/markdown'],
}

/** Modules that do something to the world outside: not for the vocabulary, nor for what only decides. */
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

  test('use every arrow of the table: one that is not needed is taken out', () => {
    const used = new Set(foreign.map(({ from, to }) => `${from} → ${to}`))
    const listed = Object.entries(allowed).flatMap(([from, targets]) => targets.map((to) => `${from} → ${to}`))
    expect(listed.filter((arrow) => !used.has(arrow))).toEqual([])
    expect(Object.keys(allowed).toSorted()).toEqual([...new Set(code.map(({ path }) => folderOf(path)))].toSorted())
  })

  test('never go round in a circle, not even for types', () => {
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

  test('name files that are there, with their endings', () => {
    const known = new Set(sources.map(({ path }) => path))
    const missing = arrows(code).filter(
      ({ arrow, to }) => !to.startsWith('..') && !known.has(arrow.split(' → ')[1] ?? ''),
    )
    expect(missing.map(({ arrow }) => arrow)).toEqual([])
  })

  test('reach the parsers of documents from their worker only', () => {
    const graph = new Map(code.map(({ path, own }) => [path, own]))
    const reached = new Set<string>()
    function visit(path: string): void {
      if (reached.has(path)) return
      reached.add(path)
      for (const next of graph.get(path) ?? []) visit(next)
    }
    visit('main.ts')
    visit('commands/main.ts')
    expect(reached).toContain('documents/pool.ts')
    expect([...reached].filter((path) => path.startsWith('documents/parsers/'))).toEqual([])
  })

  test('of a package stay where the package belongs', () => {
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

  test('of the vocabulary, the agent and the practice model do nothing to the world outside', () => {
    const pure = code.filter(({ path }) => /^(domain|agent|model\/practice)\//.test(path))
    expect(
      pure.flatMap(({ path, packages }) =>
        packages.filter((one) => outside.test(one)).map((one) => `${path} → ${one}`),
      ),
    ).toEqual([])
  })

  test('of the console’s page stay within the page', () => {
    const pages = sources.filter(({ path }) => path.includes('/public/'))
    const out = arrows(pages).filter(({ arrow }) => !arrow.split(' → ')[1]?.startsWith('chat/console/public/'))
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

  test('read the environment only in commands/ and config/', () => {
    const readers = code
      .filter(({ text }) => /\bprocess\s*\.\s*env\b|\bloadEnvFile\b/.test(text))
      .map(({ path }) => path)
    // bin.js starts itself again with another Node, and hands the environment on.
    expect(readers.filter((path) => !/^(commands|config)\/|^bin\.js$/.test(path))).toEqual([])
  })

  test('keep no state of the module', () => {
    // The console's page may: a page is loaded once, and is its own only instance.
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
  /** What is built by hand, in one place. */
  const builders = [
    'Store.open',
    'becomeOnlyOne',
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
    'new Hooks',
    'new Presenter',
    'new TextStream',
    'openStaging',
    'openSandbox',
    'openWeb',
    'createSecrets',
    'openaiModel',
    'practiceModel',
    'slackPlatform',
    'startBot',
    'workspacesIn',
  ]

  test('is done in main.ts, connect.ts and commands/ and nowhere else', () => {
    const strays = code.flatMap(({ path, text }) =>
      builders
        .filter((name) => {
          const called = new RegExp(`(?<!function )(?<![.\\w])${name.replace('.', '\\.')}(<[^>]*>)?\\(`)
          return called.test(text) && !/^(main\.ts|connect\.ts|commands\/)/.test(path)
        })
        .map((name) => `${path}: ${name}`),
    )
    expect(strays).toEqual([])
  })

  test('names what there is: each of them is called', () => {
    const builder = code
      .filter(({ path }) => /^(main\.ts|connect\.ts|commands\/)/.test(path))
      .map(({ text }) => text)
      .join('\n')
    expect(builders.filter((name) => !builder.includes(name))).toEqual([])
  })
})
