import JSZip from 'jszip'
import { expect, test } from 'vitest'
import { startTestBot } from '../support/bot.ts'
import { rowsIn } from '../support/rows.ts'

const text = '---\nname: notes\ndescription: Keeps notes.\n---\nBe short.\n'

test('skills are listed, installed, downloaded, switched off, rolled back and removed over HTTP', async () => {
  const bot = await startTestBot()
  const call = (method: string, path: string, body?: string | ArrayBuffer) =>
    fetch(`${bot.chat.url}/api/v1/skills${path}`, { method, ...(body !== undefined && { body }) })
  const list = async (query = '') => {
    const { skills } = await bot.chat.get<{ skills: { name: string }[] }>(`/skills${query}`)
    return new Map(skills.map((skill) => [skill.name, skill]))
  }
  expect((await list()).get('pdf')).toMatchObject({ scope: 'bobbin', is_disabled: false, is_overridden: false })

  expect(await (await call('POST', '?scope=channel', text)).json()).toMatchObject({ name: 'notes', version: 1 })
  expect((await list()).get('notes')).toMatchObject({ scope: 'channel', version: 1, installed_by: 'the operator' })
  expect((await list('?project_id=other')).has('notes')).toBe(false)
  for (const path of ['../evil.txt', 'SKILL.md/a.txt']) {
    const zip = new JSZip().file('SKILL.md', text.replace('name: notes', 'name: pdf'))
    const bytes = await zip.file(path, 'x', { createFolders: false }).generateAsync({ type: 'arraybuffer' })
    expect((await call('POST', '', bytes)).status).toBe(400)
  }
  await call('POST', '', text.replace('name: notes', 'name: pdf'))
  expect((await list()).get('pdf')).toMatchObject({ scope: 'team', is_overridden: true })

  expect(await (await call('GET', '/notes')).json()).toMatchObject({ body: 'Be short.', files: [{ path: 'SKILL.md' }] })
  expect(await (await call('GET', '/notes/content?path=SKILL.md')).text()).toBe(text)
  expect((await call('GET', '/notes/content?path=../x')).status).toBe(404)
  const whole = await JSZip.loadAsync(await (await call('GET', '/xlsx/package')).arrayBuffer())
  expect(Object.keys(whole.files)).toContain('xlsx/scripts/make.mjs')

  expect(await (await call('POST', '/notes/disable?scope=channel')).json()).toMatchObject({ version: 2, state: 'off' })
  expect((await list()).get('notes')).toMatchObject({ is_disabled: true })
  await call('POST', '/notes/back?scope=channel')
  expect((await list()).get('notes')).toMatchObject({ is_disabled: false })
  expect((await call('DELETE', '/pdf')).status).toBe(200)
  expect((await list()).get('pdf')).toMatchObject({ scope: 'bobbin' })
  const { versions } = await bot.chat.get<{ versions: Record<string, unknown>[] }>('/skills/notes/versions')
  expect(versions.map(({ version, state }) => `${version} ${state}`)).toEqual(['3 on', '2 off', '1 on'])
  expect((await call('GET', '/nothing')).status).toBe(404)
  expect((await call('DELETE', '/xlsx')).status).toBe(409)
  await call('POST', '/xlsx/disable')
  expect((await call('DELETE', '/xlsx')).status).toBe(409)
  expect((await list()).get('xlsx')).toMatchObject({ is_disabled: true })
  expect((await call('POST', '/notes/enable')).status).toBe(404)
  await call('DELETE', '/notes?scope=channel')
  for (const [method, part] of [
    ['POST', '/enable'],
    ['POST', '/disable'],
    ['DELETE', ''],
  ] as const)
    expect((await call(method, `/notes${part}?scope=channel`)).status).toBe(404)
  expect((await call('POST', '/notes/back?scope=channel')).status).toBe(200)
})

test('which skills a message would load is told, and none is loaded', async () => {
  const bot = await startTestBot()
  const post = (path: string, body: string) => fetch(`${bot.chat.url}/api/v1/skills${path}`, { method: 'POST', body })
  const triggers = 'metadata:\n  triggers: weekly report, sales (0.5)\n'
  await post('?scope=channel', text.replace('---\nBe', `${triggers}---\nBe`))
  const matches = async (message: string, query = '') =>
    (await post(`/match${query}`, JSON.stringify({ message }))).json()
  expect(await matches('The weekly report on sales.')).toEqual({
    matches: [{ name: 'notes', mode: 'keyword', score: 1.5 }],
  })
  expect(await matches('The sales.')).toEqual({ matches: [] })
  expect(await matches('The weekly report.', '?project_id=other')).toEqual({ matches: [] })
  for (const body of ['', '{}', '{"message":""}']) expect((await post('/match', body)).status).toBe(400)
  expect(rowsIn(bot.database, 'select * from session_skills')).toEqual([])
})

test('a scope that isn’t one changes nothing, for the team or a channel', async () => {
  const bot = await startTestBot()
  const call = (method: string, path: string, body?: string) =>
    fetch(`${bot.chat.url}/api/v1/skills${path}?scope=chanel`, { method, ...(body !== undefined && { body }) })
  const before = await bot.chat.get('/skills')
  for (const [method, path, body] of [
    ['POST', '', text],
    ['POST', '/pdf/disable'],
    ['POST', '/pdf/enable'],
    ['POST', '/pdf/back'],
    ['DELETE', '/pdf'],
  ] as const) {
    const answer = await call(method, path, body)
    expect(answer.status).toBe(400)
    expect(await answer.json()).toMatchObject({ error: { code: 'bad_scope' } })
  }
  expect(await bot.chat.get('/skills')).toEqual(before)
  expect(await bot.chat.get('/skills/pdf/versions')).toEqual({ versions: [] })
})

test('a skill that somebody removes stays removed, whoever changes it in the same moment', async () => {
  const bot = await startTestBot()
  const call = (method: string, path: string, body?: string) =>
    fetch(`${bot.chat.url}/api/v1/skills${path}`, { method, ...(body !== undefined && { body }) })
  const listed = async () => (await bot.chat.get<{ skills: { name: string }[] }>('/skills')).skills
  const before = await listed()
  const names = ['a', 'b', 'c', 'd', 'e', 'f'].map((one) => `notes-${one}`)
  const { conversation } = await bot.chat.say('skills')
  for (const name of names) {
    await call('POST', '', text.replace('notes', name))
    await Promise.all([
      call('DELETE', `/${name}`),
      call('POST', `/${name}/disable`),
      bot.chat.say(`skills off ${name} everywhere`, { conversation }),
    ])
  }
  expect(await listed()).toEqual(before)
})
