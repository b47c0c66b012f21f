import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { brotliCompressSync, constants, deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import { describe, expect, onTestFinished, test } from 'vitest'
import { jpeg } from '../support/images.ts'
import { type Answer, site, testWeb, text } from './support.ts'

const gives =
  (body: string | Uint8Array, headers: Record<string, string> = {}): Answer =>
  (_, response) =>
    response.writeHead(200, headers).end(body)

/** A server that says whatever it likes, byte by byte. */
async function rawSite(say: (socket: Socket) => void): Promise<string> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.once('data', () => say(socket))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  // It listens on TCP.
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

const html = { 'content-type': 'text/html' }
const png = Buffer.from('89504e470d0a1a0a0000000d4948445200000001000000010806000000', 'hex')
const pdf = '%PDF-1.7\n1 0 obj <<>> endobj\n'

describe('packed', () => {
  test.each([
    ['gzip', gzipSync],
    ['br', brotliCompressSync],
    ['deflate', deflateSync],
    ['deflate', deflateRawSync],
    ['x-gzip', gzipSync],
  ])('by %s it is unpacked', async (encoding, pack) => {
    const { origin } = await site(gives(pack('<p>hello</p>'.repeat(1000)), { ...html, 'content-encoding': encoding }))
    expect(text(await testWeb().get(origin))).toBe('<p>hello</p>'.repeat(1000))
  })

  test.each([
    ['gzip', gzipSync],
    ['br', brotliCompressSync],
    ['deflate', deflateSync],
  ])('by %s, a bomb of 10 MB is too large', async (encoding, pack) => {
    const { origin } = await site(gives(pack(Buffer.alloc(10_000_000, ' ')), { ...html, 'content-encoding': encoding }))
    await expect(testWeb().get(origin)).rejects.toMatchObject({ code: 'too_large' })
  })

  test('a bomb is recognised before its end', async () => {
    const beginning = gzipSync(Buffer.alloc(200_000, ' '), { finishFlush: constants.Z_SYNC_FLUSH })
    const url = await rawSite((socket) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-encoding: gzip\r\n\r\n')
      socket.write(beginning)
    })
    await expect(testWeb().get(url)).rejects.toMatchObject({ code: 'too_large' })
  })

  test.each(['gzip, gzip', 'zstd', 'compress'])('in a way that nobody asked for: %s', async (encoding) => {
    const { origin } = await site(gives('x', { ...html, 'content-encoding': encoding }))
    await expect(testWeb().get(origin)).rejects.toMatchObject({ code: 'bad_type' })
  })

  test("and if it breaks off, it isn't an answer", async () => {
    const { origin } = await site(
      gives(gzipSync('x'.repeat(1000)).subarray(0, 20), { ...html, 'content-encoding': 'gzip' }),
    )
    await expect(testWeb().get(origin)).rejects.toMatchObject({ code: 'not_reached' })
  })
})

describe('too large', () => {
  test('by what it declares, and by what arrives', async () => {
    const said = await site(gives('x'.repeat(100_001), html))
    await expect(testWeb().get(said.origin)).rejects.toMatchObject({ code: 'too_large' })
    const endless = await rawSite((socket) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-type: text/html\r\n\r\n')
      // More than is let in, and less than could harm.
      for (let piece = 0; piece < 100; piece++) socket.write('x'.repeat(10_000))
    })
    await expect(testWeb().get(endless)).rejects.toMatchObject({ code: 'too_large' })
  })

  test('a download may be larger than a page, also where its type is not said', async () => {
    const image = Buffer.concat([png, Buffer.alloc(150_000)])
    const { origin } = await site((request, response) =>
      gives(request.url === '/text' ? 'x'.repeat(150_000) : image, { 'content-type': 'application/octet-stream' })(
        request,
        response,
        '',
      ),
    )
    const fetched = await testWeb().get(`${origin}/image`)
    expect(fetched).toMatchObject({ type: 'image/png', bytes: { length: image.length } })
    await expect(testWeb().get(`${origin}/text`)).rejects.toMatchObject({ code: 'too_large' })
  })

  test('headers', async () => {
    const url = await rawSite((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n')
      for (let line = 0; line < 300; line++) socket.write(`x-${line}: ${'x'.repeat(100)}\r\n`)
      socket.write('\r\n')
    })
    await expect(testWeb().get(url)).rejects.toMatchObject({ code: 'not_reached' })
  })
})

describe('slow', () => {
  const drip = (first: string, piece: string) => (socket: Socket) => {
    socket.write(first)
    const timer = setInterval(() => socket.write(piece), 20)
    socket.on('close', () => clearInterval(timer))
  }

  test.each([
    ['headers', drip('HTTP/1.1 200 OK\r\n', 'x: y\r\n')],
    ['hints', drip('', 'HTTP/1.1 103 Early Hints\r\n\r\n')],
    ['a body', drip('HTTP/1.1 200 OK\r\ncontent-type: text/html\r\n\r\n', 'x')],
    ['nothing at all', () => {}],
  ])('%s: it ends all the same', async (_, say) => {
    const url = await rawSite(say)
    await expect(testWeb().get(url, { timeoutMs: 300 })).rejects.toMatchObject({ code: 'timed_out' })
  })

  test('a name that is never found', async () => {
    const { get } = testWeb({}, { resolve: () => new Promise(() => {}) })
    await expect(get('http://a.example/', { timeoutMs: 100 })).rejects.toMatchObject({ code: 'timed_out' })
  })

  test('a stop ends it with its own reason', async () => {
    const url = await rawSite(() => {})
    const stop = new AbortController()
    const getting = testWeb().get(url, { signal: stop.signal })
    stop.abort(new Error('stopped by Ana'))
    await expect(getting).rejects.toThrow('stopped by Ana')
  })
})

test('a length that lies', async () => {
  const more = await rawSite((socket) =>
    socket.end('HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ncontent-length: 90\r\n\r\nx'),
  )
  await expect(testWeb().get(more)).rejects.toMatchObject({ code: 'not_reached' })
  const less = await rawSite((socket) =>
    socket.end('HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ncontent-length: 2\r\n\r\nabcdef'),
  )
  const fetched = await testWeb()
    .get(less)
    .catch((thrown: unknown) => thrown)
  if (fetched instanceof Error) expect(fetched).toMatchObject({ code: 'not_reached' })
  else expect(fetched).toMatchObject({ bytes: new Uint8Array(Buffer.from('ab')) })
})

test("what isn't HTTP", async () => {
  const url = await rawSite((socket) => socket.end('220 mail.example ESMTP\r\n'))
  await expect(testWeb().get(url)).rejects.toMatchObject({ code: 'not_reached' })
})

describe('the type', () => {
  test.each([
    ['text/html; charset="ISO-8859-1"', '<p>é', 'text/html', 'windows-1252'],
    ['TEXT/HTML;charset=nonsense', '<p>x', 'text/html', undefined],
    ['application/json', '{}', 'application/json', undefined],
    ['application/ld+json', '{}', 'application/ld+json', undefined],
    ['application/rss+xml', '<?xml version="1.0"?><rss/>', 'application/rss+xml', undefined],
    ['text/html; charset=utf-16le', Buffer.from('<p>x', 'utf16le'), 'text/html', 'utf-16le'],
    ['application/pdf', pdf, 'application/pdf', undefined],
    ['image/jpeg', png, 'image/png', undefined],
    ['application/octet-stream', pdf, 'application/pdf', undefined],
    ['application/csv; charset=utf-8', 'a;b', 'text/plain', 'utf-8'],
    ['application/x-csv', 'a;b', 'text/plain', undefined],
    ['application/vnd.ms-excel', 'a;b', 'text/plain', undefined],
    ['application/x-pdf', pdf, 'application/pdf', undefined],
    ['image/jpg', jpeg, 'image/jpeg', undefined],
    ['', '<!doctype html><p>x', 'text/html', undefined],
    ['', 'plain', 'text/plain', undefined],
    ['text/plain', '', 'text/plain', undefined],
  ])('%s with %s is %s', async (header, body, type, charset) => {
    const { origin } = await site(gives(body, header === '' ? {} : { 'content-type': header }))
    expect(await testWeb().get(origin)).toMatchObject({ type, charset, status: 200 })
  })

  test.each([
    ['video/mp4', 'x'],
    ['application/zip', 'x'],
    ['application/x-msdownload', 'x'],
    ['multipart/form-data', 'x'],
    ['application/pdf', '<!doctype html><script>x</script>'],
    ['image/png', '<svg onload="x">'],
    ['text/html', pdf],
    ['text/plain', png],
    ['application/octet-stream', gzipSync('x')],
    ['application/vnd.ms-excel', Buffer.from('d0cf11e0a1b11ae1', 'hex')],
    ['', Buffer.from('7f454c4602010100', 'hex')],
  ])('%s with %s is refused', async (header, body) => {
    const { origin } = await site(gives(body, header === '' ? {} : { 'content-type': header }))
    await expect(testWeb().get(origin)).rejects.toMatchObject({ code: 'bad_type' })
  })
})
