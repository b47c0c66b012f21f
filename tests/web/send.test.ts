import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { gzipSync } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import { begunBefore } from '../support/begun-before.ts'
import { type Answer, site, testWeb } from './support.ts'

const options = {
  ...{ method: 'POST', headers: {}, body: 'x', pageBytes: 1_000, downloadBytes: 2_000, timeoutMs: 60_000 },
  signal: new AbortController().signal,
}

async function sent(answer: Answer, more: Partial<typeof options> = {}) {
  const { origin } = await site(answer)
  return testWeb().web.send(new URL(origin), { ...options, ...more })
}

test.each(['http://127.0.0.1/', 'http://10.0.0.1/', 'http://169.254.169.254/', 'http://inside.example/'])(
  'nothing is sent to %s',
  async (url) => {
    const { web, dialled } = testWeb({ 'inside.example': [['10.0.0.1']] }, { loopback: false })
    await expect(web.send(new URL(url), options)).rejects.toMatchObject({ code: 'private_address' })
    expect(dialled).toEqual([])
  },
)

test('an answer counts whatever its status, packed or not, and even when it is too long to be read', async () => {
  const packed = gzipSync('denied')
  const refused = await sent((_, response) => response.writeHead(403, { 'content-encoding': 'gzip' }).end(packed))
  expect(refused.status).toBe(403)
  expect(Buffer.from(refused.bytes ?? []).toString()).toBe('denied')
  const long = { 'content-type': 'text/plain', 'content-length': '5000' }
  const cut = await sent((_, response) => response.writeHead(200, long).end('x'.repeat(5_000)))
  expect(cut).toMatchObject({ status: 200, bytes: undefined, unread: 'It has more than 1,000 bytes.' })
  const head = await sent((_, response) => response.writeHead(200, long).end(), { method: 'HEAD' })
  expect(head.bytes).toHaveLength(0)
})

test('a server that isn’t there was sent nothing; one that hangs up may have read it', async () => {
  const { port } = await site((request) => void request.socket.destroy())
  const { web } = testWeb()
  await expect(web.send(new URL(`http://127.0.0.1:${port}/`), options)).rejects.toMatchObject({ code: 'no_answer' })
  await expect(web.send(new URL('http://127.0.0.1:1/'), options)).rejects.toMatchObject({ code: 'not_reached' })
})

test('what is too late was sent nothing unless it was connected to', async () => {
  const late = { ...options, timeoutMs: 300 }
  const unreached = {
    code: 'not_reached',
    message: expect.stringContaining('Nothing was sent: it took more than 0.3 s'),
  }
  const unknown = testWeb({}, { resolve: () => new Promise(() => {}) })
  await expect(unknown.web.send(new URL('http://queued.example/'), late)).rejects.toMatchObject(unreached)
  const { web } = testWeb()
  const silent = createServer().listen(0, '127.0.0.1')
  await once(silent, 'listening')
  onTestFinished(() => void silent.close())
  const { port } = silent.address() as AddressInfo
  await expect(web.send(new URL(`https://127.0.0.1:${port}/`), late)).rejects.toMatchObject(unreached)
  const heard = await site(() => {})
  const ended = await begunBefore(
    (timeoutMs) => web.send(new URL(heard.origin), { ...options, timeoutMs }).catch((thrown) => thrown),
    ({ code }) => code !== 'not_reached',
  )
  expect(ended).toMatchObject({ code: 'timed_out' })
})

test('a request with a header that can’t be sent isn’t sent', async () => {
  const { web, dialled } = testWeb()
  const headers = { authorization: 'Bearer a\nb' }
  const refused = web.send(new URL('http://127.0.0.1:1/'), { ...options, headers })
  await expect(refused).rejects.toMatchObject({
    code: 'not_reached',
    message: 'Nothing was sent: invalid authorization header.',
  })
  expect(dialled).toEqual([])
})

test.each([{}, { 'content-type': 'application/octet-stream' }])(
  'text is no longer than a page also where a server doesn’t say that it is text (%j)',
  async (headers) => {
    const answered = (text: string | Buffer) => sent((_, response) => response.writeHead(200, headers).end(text))
    const long = await answered('a line of a log\n'.repeat(100))
    expect(long).toMatchObject({ status: 200, bytes: undefined, unread: 'It has more than 1,000 bytes.' })
    expect((await answered('a line of a log\n')).bytes).toHaveLength(16)
    expect((await answered(Buffer.alloc(1_500))).bytes).toHaveLength(1_500)
  },
)
