import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, test } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }

const root = resolve(import.meta.dirname, '../..')

/** Packages that a bot with only the console loads before it is ready. Each one slows every start, so new ones are listed here. */
const needed = [
  '@hono/node-server',
  'better-sqlite3',
  'croner',
  'hono',
  'ipaddr.js',
  'kysely',
  'p-limit',
  'pino',
  're2js',
  'yaml',
  'zod',
]

/** Entry points of parts that are loaded later. */
const lateFiles = [
  'api/openapi.ts',
  'capabilities/documents/library.ts',
  'capabilities/files/edit/file.ts',
  'kit/practice/practice-model.ts',
  'kit/sandbox/sandbox.ts',
  'kit/shell/plan.ts',
  'kit/text/encoding.ts',
  'model/ask.ts',
  'model/openai.ts',
  'platforms/discord/discord.ts',
  'platforms/slack/slack.ts',
  'store/migrations/001-sessions.ts',
  'turn/work.ts',
]

test('modules that the first mention does not need are loaded later', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'bobbin-start-'))
  const env = { PATH: process.env.PATH, BOBBIN_HOME: dataDir, BOBBIN_DATA_DIR: dataDir }
  const bot = spawn(
    process.execPath,
    ['--import', join(import.meta.dirname, 'list-loaded.js'), 'src/bin.js', 'start'],
    {
      cwd: root,
      env: { ...env, BOBBIN_PORT: '0', BOBBIN_LOG_LEVEL: 'silent' },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  try {
    let loaded: string[] = []
    for await (const line of createInterface({ input: bot.stdout })) {
      if (!line.startsWith('[')) continue
      loaded = JSON.parse(line)
      break
    }
    const packages = loaded.flatMap((url) => /\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(url)?.[1] ?? [])
    const named = new Set(packages.filter((name) => Object.hasOwn(manifest.dependencies, name)))
    expect([...named].toSorted()).toEqual(needed)
    const own = loaded.flatMap((url) => url.split('/src/')[1] ?? [])
    for (const late of lateFiles) expect(own).not.toContain(late)
  } finally {
    bot.kill('SIGTERM')
    await once(bot, 'exit')
    await rm(dataDir, { recursive: true, force: true })
  }
})
