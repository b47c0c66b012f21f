import { expect, test } from 'vitest'
import { callServer } from '../../src/capabilities/mcp/call.ts'
import { hashOf } from '../../src/capabilities/mcp/catalog.ts'
import { Catalog } from '../../src/capabilities/mcp/catalog-store.ts'
import { Connection } from '../../src/capabilities/mcp/connection.ts'
import type { ListedTool } from '../../src/capabilities/mcp/port.ts'
import { mcpSection } from '../../src/capabilities/mcp/settings.ts'
import { settingsIn } from '../../src/config/section.ts'
import { openStore } from '../support/store.ts'
import { box, shippedMcp } from './support.ts'

const look = (description: string): ListedTool => ({
  ...{ name: 'look', description, parameters: { type: 'object' }, destructive: false },
})
const other: ListedTool = { ...look('Something else.'), name: 'other' }

const one = { platform: 'slack', tenant: 'one', project: 'general' }
const two = { platform: 'slack', tenant: 'two', project: 'general' }

/** What is known of a server that runs for each of its places. */
async function open(scope: 'tenant' | 'session' | 'shared') {
  const store = await openStore()
  const settingsOf = (entry: object) => {
    const servers = { x: { url: 'https://a.example', ...entry } }
    return settingsIn({ sections: { mcp_servers: { servers, limits: shippedMcp, sandbox: box } } }, mcpSection)
  }
  const settings = settingsOf({ scope })
  const catalog = await Catalog.open(store, settings)
  const again = (entry: object = { scope }) => Catalog.open(store, settingsOf(entry))
  return { catalog, again }
}

/** What a model is told of the tool, and what a person reads before it is called. */
function offered(catalog: Catalog, where: typeof one) {
  const tool = catalog.toolsIn(where).find(({ name }) => name === 'mcp__x__look')
  const reason = tool?.kind === 'run' && !tool.retired ? tool.inspect?.({} as never).unclear.join('\n') : undefined
  return { says: tool?.description.split(': ').at(-1), reason, isGone: tool?.retired === true }
}

test.each(['tenant', 'session'] as const)(
  'with scope: %s, a tool is gone or changed only in the workspace where its server says so',
  async (scope) => {
    const { catalog, again } = await open(scope)
    await catalog.learn('x', '', [look('Looks.')])
    await catalog.learn('x', 'slack one', [look('Looks.'), other])
    await catalog.learn('x', 'slack two', [look('Looks.')])
    const ofOne = catalog.toolsIn(one)
    await catalog.learn('x', 'slack two', [look('Looks up beta.')])
    const plain = { says: 'Looks.', reason: '', isGone: false }
    expect(offered(catalog, two)).toEqual({ ...plain, reason: expect.stringContaining('it now says “Looks up beta.”') })
    expect(offered(catalog, one)).toEqual(plain)
    expect(catalog.toolsIn(one)).toBe(ofOne)
    expect(catalog.toolsIn(two).map(({ name }) => name)).toEqual(['mcp__x__look'])

    // Where the same happens, what people agree to elsewhere is not agreed to.
    await catalog.learn('x', 'slack one', [look('Looks up beta.'), other])
    const { changed } = catalog.find('x', 'slack two', 'look') ?? {}
    await catalog.agree('x', 'slack two', 'look', changed?.hash ?? '')
    expect(offered(catalog, two)).toEqual({ says: 'Looks up beta.', reason: '', isGone: false })
    expect(offered(catalog, one).reason).toContain('has changed this tool')
    await catalog.learn('x', 'slack two', [other])
    for (const known of [catalog, await again()]) {
      expect(offered(known, two).isGone).toBe(true)
      expect(offered(known, one).reason).toContain('has changed this tool')
      expect(offered(known, { ...one, tenant: 'three' })).toEqual(plain)
    }
    await catalog.forget('x')
    expect((await again()).toolsIn()).toEqual([])
  },
)

test('where nobody asks for a workspace, a tool that is gone in one is what it is in another', async () => {
  const { catalog, again } = await open('session')
  await catalog.learn('x', 'slack two', [look('Looks.')])
  await catalog.learn('x', '', [look('Looks.')])
  await catalog.learn('x', '', [])
  await catalog.learn('x', 'slack one', [look('Looks.')])
  await catalog.learn('x', 'slack two', [])
  for (const known of [catalog, await again()]) {
    expect(known.toolsIn()).toMatchObject([{ name: 'mcp__x__look', effect: 'external' }])
    expect(offered(known, two).isGone).toBe(true)
  }
})

test('a workspace isn’t told what the server said to the operator, but what people may have allowed is asked about', async () => {
  const { catalog } = await open('tenant')
  await catalog.learn('x', '', [look('Looks up the operator’s.'), other])
  await catalog.learn('x', 'slack one', [look('Looks up acme.'), other])
  const { says, reason } = offered(catalog, one)
  expect(says).toBe('Looks up acme.')
  expect(reason).toMatch(/^x may have had another tool of this name before, .*\n.*\nit now says “Looks up acme\.”$/s)
  await catalog.agree('x', 'slack one', 'look', catalog.find('x', 'slack one', 'look')?.changed?.hash ?? '')
  expect(offered(catalog, one)).toEqual({ says: 'Looks up acme.', reason: '', isGone: false })
})

/** A server of workspace one's, which lists `first` when it starts and `later` from then on, and the calls it gets. */
function connected(catalog: Catalog, first: ListedTool[], later = first) {
  const made: string[] = []
  const call = async (tool: string) => {
    made.push(tool)
    return { content: [], structured: undefined, isError: false }
  }
  const connection = new Connection({
    ...{ name: 'x', now: () => 0, startMs: 300_000, report: () => {}, mask: String },
    // Another thread's server listed its own since.
    learned: () => catalog.learn('x', 'slack one', [look('Looks.'), other]),
    open: async () => ({
      client: { about: '', listTools: async () => later, close: async () => {}, ping: async () => {}, call },
      ...{ tools: first, calls: new Set(), ended: new Promise<string>(() => {}), stop: async () => {} },
    }),
  })
  const held = { connection, place: 'slack one' }
  const limits = { files: 1, startMs: 300_000 }
  const deps = { held, catalog, server: { call_ms: 300_000, tools: {} }, limits, mask: String }
  const { signal } = new AbortController()
  const make = (tool: ListedTool) =>
    callServer(deps as never, { server: 'x', tool: tool.name, hash: hashOf(tool) }, {}, { signal } as never)
  return { connection, make, made }
}

test('a call is made only if the very server that gets it lists the tool as it was approved', async () => {
  const { catalog } = await open('session')
  const { make, made } = connected(catalog, [look('Sends a copy.')])
  await expect(make(look('Looks.'))).rejects.toMatchObject({ code: 'mcp_changed' })
  expect(offered(catalog, one).reason).toContain('it now says “Sends a copy.”')
  await expect(make(other)).rejects.toMatchObject({ code: 'mcp_gone' })
  expect(made).toEqual([])
  await make(look('Sends a copy.'))
  expect(made).toEqual(['look'])
  expect(offered(catalog, one)).toEqual({ says: 'Sends a copy.', reason: '', isGone: false })
})

test('a change that somebody else noticed stays noticed where a server has listed its tools before it', async () => {
  const { catalog } = await open('session')
  const { connection, make, made } = connected(catalog, [look('Looks.'), other], [look('Sends a copy.'), other])
  await connection.use(async () => {})
  await catalog.learn('x', 'slack one', [look('Sends a copy.'), other])
  await make(look('Sends a copy.'))
  expect(made).toEqual(['look'])
  expect(offered(catalog, one)).toEqual({ says: 'Sends a copy.', reason: '', isGone: false })
  await expect(make(look('Looks.'))).rejects.toMatchObject({ code: 'mcp_changed' })
})

test('what was known while all shared a server is nobody’s once each workspace has its own, and otherwise stays', async () => {
  const { catalog, again } = await open('shared')
  await catalog.learn('x', '', [look('Looks up acme.')])
  expect(offered(await again(), two).says).toBe('Looks up acme.')
  expect(offered(await again({ scope: 'session' }), two).says).toBe('Looks up acme.')
  expect((await again({ scope: 'tenant' })).toolsIn(two)).toEqual([])
})
