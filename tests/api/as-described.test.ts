import { expect, test } from 'vitest'
import { z } from 'zod'
import { namesTaken } from '../../src/api/fields.ts'
import type { Capability } from '../../src/turn/port/capability.ts'
import type { Operation } from '../../src/turn/port/operation.ts'
import { startTestBot, type TestBot } from '../support/bot.ts'

const asked = async (bot: TestBot, method: string, path: string, body?: object) => {
  const init = body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
  const answer = await fetch(`${bot.chat.url}/api/v1${path}`, { method, ...init })
  const { error } = (await answer.clone().json()) as { error?: { code: string; message: string; remedy: string } }
  return { status: answer.status, allow: answer.headers.get('allow'), error }
}

test('a parameter that nothing reads changes nothing anywhere, and the answer names those that there are', async () => {
  const bot = await startTestBot()
  const before = [await bot.chat.get('/skills'), await bot.chat.get('/agents')]
  const { error, status } = await asked(bot, 'POST', '/skills/pdf/disable?platform=slack&tenant=T0ACME')
  expect(status).toBe(400)
  expect(error).toEqual({
    code: 'unknown_parameter',
    message: expect.stringContaining('tenant_id'),
    remedy: 'It takes platform, tenant_id, project_id, scope.',
  })
  for (const [method, path] of [
    ['POST', '/agents/explorer/disable?tenant=T1'],
    ['POST', '//agents/expl%6Frer/disable/?tenant=T1'],
    ['PATCH', '/agents/explorer?tenant=T1'],
    ['DELETE', '/agents/explorer?tenant=T1'],
    ['POST', '/agents/explorer/disable?platform=slack'],
    ['DELETE', '/skills/pdf?Scope=channel'],
    ['GET', '/agent/conversations?archive=true'],
    ['HEAD', '/usage?sinse=2026-01-01'],
    ['GET', '/about?x=1'],
  ] as const)
    expect([path, (await fetch(`${bot.chat.url}/api/v1${path}`, { method })).status]).toEqual([path, 400])
  expect([await bot.chat.get('/skills'), await bot.chat.get('/agents')]).toEqual(before)
})

test('a skill is switched off in the tenant that is named as everywhere else, and half a place is no place', async () => {
  const bot = await startTestBot()
  const isOff = async (query: string) => {
    const { skills } = await bot.chat.get<{ skills: { name: string; is_disabled: boolean }[] }>(`/skills${query}`)
    return skills.find(({ name }) => name === 'pdf')?.is_disabled
  }
  const place = '?platform=slack&tenant_id=T0ACME'
  expect((await asked(bot, 'POST', `/skills/pdf/disable${place}`)).status).toBe(200)
  expect([await isOff(place), await isOff(`${place}&project_id=C1`), await isOff('')]).toEqual([true, true, false])
  const { paths } = await bot.chat.get<{ paths: Record<string, { get: object }> }>('/openapi.json')
  expect(JSON.stringify(paths['/skills']?.get)).not.toContain('"default"')
  const { versions } = await bot.chat.get<{ versions: object[] }>(`/skills/pdf/versions${place}`)
  expect(versions).toMatchObject([{ scope: 'team', state: 'off' }])
  for (const half of [
    '?platform=slack',
    '?tenant_id=T0ACME',
    '?platform=slack&tenant_id=',
    `${place}&scope=channel`,
    '?scope=channel&project_id=',
  ])
    expect(await asked(bot, 'POST', `/skills/docx/disable${half}`)).toMatchObject({
      status: 400,
      error: { code: 'bad_place', remedy: expect.stringContaining('`project_id`') },
    })
})

test('a method that isn’t described for an address is refused, and the answer names those that are', async () => {
  const bot = await startTestBot()
  await asked(bot, 'POST', '/mcp/servers', { name: 'far', url: 'http://127.0.0.1:9/' })
  const { paths } = await bot.chat.get<{ paths: Record<string, Record<string, unknown>> }>('/openapi.json')
  const named: Record<string, string> = { '/mcp/servers/{name}': 'far', '/agents/{name}': 'explorer' }
  const servers = await bot.chat.get('/mcp/servers')
  for (const [path, described] of Object.entries(paths))
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].filter((one) => !(one.toLowerCase() in described))) {
      const address = path.replace(/\{\w+\}/, named[path] ?? 'pdf').replace('{path}', 'a')
      // An agent or a skill may be called “match”, and is at its address then.
      if (address.endsWith('/match')) continue
      const { status, allow, error } = await asked(bot, method, address)
      expect([method, path, status, error?.code]).toEqual([method, path, 405, 'not_allowed'])
      for (const right of Object.keys(described)) expect(allow).toContain(right.toUpperCase())
      expect(error?.remedy).toContain(`There is ${allow}`)
    }
  expect(await bot.chat.get('/mcp/servers')).toEqual(servers)
})

test('a plug-in’s routes get what it describes, and everything where it describes nothing', async () => {
  const made = z.object({ a: z.string() }).transform(({ a }) => a)
  const told: Capability = {
    name: 'told',
    routes: () => () => Response.json({}),
    operations: async () => [
      { path: '/items', method: 'get', summary: 'Items', answers: { 200: 'items' } },
      { path: '/items', method: 'put', summary: 'Replaces them', answers: { 200: 'items' } },
      {
        path: '/open',
        method: 'get',
        summary: 'More',
        query: z.looseObject({ a: z.string() }),
        answers: { 200: 'more' },
      },
      { path: '/made', method: 'get', summary: 'More', query: made as never, answers: { 200: 'more' } },
      { path: '/odd', method: 'get', summary: 'More', query: {} as never, answers: { 200: 'more' } },
      { path: '/word', method: 'get', summary: 'More', query: 'a' as never, answers: { 200: 'more' } },
    ],
  }
  const bot = await startTestBot({ plugins: [told] })
  const statusOf = async (method: string, path: string) => (await asked(bot, method, path)).status
  const at = '/capabilities/told'
  expect(await statusOf('GET', `${at}/items`)).toBe(200)
  expect(await statusOf('GET', `${at}/items?x=1`)).toBe(400)
  expect(await statusOf('POST', `${at}/items`)).toBe(405)
  expect(await statusOf('PUT', `${at}/items`)).toBe(200)
  expect(await statusOf('POST', `${at}/others?x=1`)).toBe(200)
  expect(await statusOf('GET', `${at}/open?a=1&b=2`)).toBe(200)
  expect([await statusOf('GET', `${at}/made?a=1`), await statusOf('GET', `${at}/made?b=1`)]).toEqual([200, 400])
  for (const path of ['odd', 'word']) expect(await statusOf('GET', `${at}/${path}?a=1`)).toBe(200)
})

test('a plug-in that takes long to say what its routes do keeps no request from its answer', async () => {
  const said = Promise.withResolvers<Operation[]>()
  const slow: Capability = { name: 'slow', routes: () => () => Response.json({}), operations: () => said.promise }
  const bot = await startTestBot({ plugins: [slow] })
  const its = asked(bot, 'GET', '/capabilities/slow/items?x=1')
  for (const others of ['/about?x=1', '/skills?x=1', '/agents?x=1']) {
    const isFirst = await Promise.race([its.then(() => false), asked(bot, 'GET', others).then(() => true)])
    expect([others, isFirst]).toEqual([others, true])
  }
  expect((await its).status).toBe(200)
  said.resolve([{ path: '/items', method: 'get', summary: 'Items', answers: { 200: 'items' } }])
  await said.promise
  expect((await asked(bot, 'GET', '/capabilities/slow/items?x=1')).status).toBe(400)
})

test('what a query may name is read from its schema once', () => {
  const query = z.object({ since: z.string() })
  expect(namesTaken(query)).toBe(namesTaken(query))
})
