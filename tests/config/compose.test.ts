import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { enterHome } from '../../src/cli/home.ts'
import { loadConfig } from '../../src/config/load.ts'
import { builtinSections } from '../../src/wiring/capabilities.ts'
import { bobbin } from '../commands/support.ts'
import { scratch } from '../support/store.ts'

const top = join(import.meta.dirname, '../..')
const read = (name: string): string => readFileSync(join(top, name), 'utf8')

const service = z.object({
  command: z.string().optional(),
  hostname: z.string().optional(),
  environment: z.record(z.string(), z.string()),
  volumes: z.array(z.string()).default([]),
  depends_on: z.record(z.string(), z.object({ condition: z.string() })).default({}),
  ports: z.array(z.string()).default([]),
})
const file = z.object({ services: z.record(z.string(), service), volumes: z.record(z.string(), z.null()) })

const { services, volumes } = file.parse(parse(read('compose.yaml'), { merge: true }))
const bots = Object.entries(services).filter(([, { command }]) => command === 'start')

/** As Docker fills in what comes from .env. */
const filledIn = (environment: Record<string, string>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(environment).map(([name, value]) => [
      name,
      value.replace(/\$\{POSTGRES_PASSWORD:[^}]*\}/, 'secret'),
    ]),
  )

describe('compose.yaml', () => {
  test('has two bots with names of their own, the same database and the same files', () => {
    expect(bots).toHaveLength(2)
    const all = (of: (bot: (typeof bots)[number][1]) => unknown) => new Set(bots.map(([, bot]) => of(bot)))
    expect(all(({ environment }) => environment.BOBBIN_NODE).size).toBe(2)
    expect(all(({ hostname }) => hostname).size).toBe(2)
    expect(all(({ ports }) => ports[0]).size).toBe(2)
    for (const same of ['DATABASE_URL', 'BOBBIN_DATA_DIR'])
      expect(all(({ environment }) => environment[same]).size).toBe(1)
    for (const [, { volumes: mounted, environment }] of bots)
      expect(mounted.some((volume) => volume.endsWith(`:${environment.BOBBIN_DATA_DIR}`))).toBe(true)
  })

  test('sets only what the configuration knows, and what it accepts', async () => {
    const directory = await scratch()
    const known = [...read('.env.example').matchAll(/^#?([A-Z_]+)=/gm)].map(([, name]) => name)
    for (const [name, { environment }] of Object.entries(services).filter(([name]) => name !== 'postgres')) {
      expect(known).toEqual(expect.arrayContaining(Object.keys(environment)))
      const loaded = loadConfig(filledIn(environment), directory, builtinSections)
      const expected = { databaseUrl: 'postgres://bobbin:secret@postgres:5432/bobbin', dataDir: '/data' }
      expect(loaded).toMatchObject({ config: { ...expected, node: name === 'migrate' ? undefined : name } })
    }
  })

  test('has everything where the image has it, whatever a clone’s .env says', () => {
    const ofClone = {
      BOBBIN_HOME: '/srv/bobbin',
      BOBBIN_DATA_DIR: 'data',
      BOBBIN_CONFIG_DIR: 'data/config',
      BOBBIN_HOST: '127.0.0.1',
      BOBBIN_PORT: '3005',
    }
    for (const { environment } of Object.values(services).filter(({ command }) => command !== undefined)) {
      const both = [{}, ofClone].map((file) => ({ ...file, ...filledIn(environment) }))
      const [bare, withFile] = both.map((one) => ({ home: enterHome({ environment: one, workingDir: '/' }), one }))
      expect(withFile).toEqual(bare)
      expect(bare?.home).toMatchObject({ dir: '/data', dataDir: '/data' })
    }
  })

  test('reaches its own PostgreSQL', () => {
    const { postgres } = services
    const { username, password, hostname, pathname } = new URL(
      filledIn(bots[0]?.[1].environment ?? {}).DATABASE_URL ?? '',
    )
    const { POSTGRES_USER, POSTGRES_PASSWORD, POSTGRES_DB } = filledIn(postgres?.environment ?? {})
    expect([hostname, username, password, pathname]).toEqual([
      'postgres',
      ...[POSTGRES_USER, POSTGRES_PASSWORD, `/${POSTGRES_DB}`],
    ])
  })

  test('names services, volumes and commands that exist', async () => {
    const { out } = await bobbin(await scratch(), 'help')
    for (const { command, depends_on, volumes: mounted } of Object.values(services)) {
      if (command !== undefined) expect(out).toMatch(new RegExp(`^ {2}${command} `, 'm'))
      expect(Object.keys(services)).toEqual(expect.arrayContaining(Object.keys(depends_on)))
      const named = mounted.map((volume) => volume.split(':')[0])
      expect(Object.keys(volumes)).toEqual(expect.arrayContaining(named))
    }
  })
})
