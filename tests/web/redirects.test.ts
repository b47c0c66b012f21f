import { expect, test } from 'vitest'
import { type Answer, site, testWeb, text } from './support.ts'

const leads =
  (to: (path: string, host: string) => string | undefined, status = 302): Answer =>
  (request, response) => {
    const next = to(request.url ?? '', request.headers.host ?? '')
    if (next !== undefined) response.writeHead(status, { location: next })
    response.end('end')
  }

test.each([301, 302, 303, 307, 308])('%i is followed', async (status) => {
  const { origin } = await site(leads((path) => (path === '/' ? 'there?x=1#y' : undefined), status))
  const fetched = await testWeb().get(`${origin}/`)
  expect(fetched.url).toBe(`${origin}/there?x=1`)
  expect(text(fetched)).toBe('end')
})

test('an address in UTF-8, as many servers write it, is understood', async () => {
  const { origin, requests } = await site((request, response) => {
    if (request.url === '/') response.writeHead(302, { location: Buffer.from('/ürl ✓').toString('latin1') })
    response.end('end')
  })
  await testWeb().get(origin)
  expect(requests[1]?.path).toBe(encodeURI('/ürl ✓'))
})

test('five are followed, not six, and no loop', async () => {
  const step = (path: string) => Number(path.slice(1))
  const five = await site(leads((path) => (step(path) < 5 ? `/${step(path) + 1}` : undefined)))
  expect(text(await testWeb().get(`${five.origin}/0`))).toBe('end')
  const loop = await site(leads((path) => (path === '/a' ? '/b' : '/a')))
  await expect(testWeb().get(`${loop.origin}/a`)).rejects.toMatchObject({ code: 'bad_redirect' })
  expect(loop.requests).toHaveLength(6)
})

test.each([
  ['http://10.0.0.1/', 'private_address'],
  ['http://0251.0376.0251.0376/', 'private_address'],
  ['//[::1]/', 'private_address'],
  ['http://inside.example/', 'private_address'],
  ['http://user:word@public.example/', 'bad_address'],
  ['file:///etc/passwd', 'bad_address'],
  ['javascript:alert(1)', 'bad_address'],
  ['http://[nothing', 'bad_redirect'],
])('one to %s is not followed', async (to, code) => {
  const { port } = await site(leads(() => to))
  const { get, dialled } = testWeb({ 'public.example': [['127.0.0.1']], 'inside.example': [['192.168.0.1']] })
  await expect(get(`http://public.example:${port}/`)).rejects.toMatchObject({ code })
  expect(dialled).toEqual([`127.0.0.1:${port}`])
})

test('each hop is looked up anew: a name that has become private in between is refused', async () => {
  const { port } = await site(leads(() => '/again'))
  const { get, asked, dialled } = testWeb({ 'a.example': [['127.0.0.1'], ['10.0.0.1']] })
  await expect(get(`http://a.example:${port}/`)).rejects.toMatchObject({ code: 'private_address' })
  expect(asked).toEqual(['a.example', 'a.example'])
  expect(dialled).toEqual([`127.0.0.1:${port}`])
})

test.each([
  [404, {}, /nothing at this address/],
  [403, {}, /login/],
  [429, { 'retry-after': '17' }, /in 17 s/],
  [503, {}, /later/],
  [500, {}, /theirs/],
  [304, {}, /Check the address/],
  [302, {}, /Check the address/],
])('status %i says what to do', async (status, headers, remedy) => {
  const { origin } = await site((_, response) => response.writeHead(status, headers).end())
  await expect(testWeb().get(origin)).rejects.toMatchObject({
    code: 'bad_status',
    message: `The server answered ${status}.`,
    remedy: expect.stringMatching(remedy),
  })
})
