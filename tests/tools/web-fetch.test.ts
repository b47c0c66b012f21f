import { expect, test } from 'vitest'
import { webFetch } from '../../src/capabilities/web/web-fetch.ts'
import type { Answer } from '../web/support.ts'
import { inspected, smallPdf, webBench } from './web-support.ts'

const gives =
  (type: string, body: string | Uint8Array): Answer =>
  (_, response) =>
    response.writeHead(200, { 'content-type': type }).end(body)

test('a page comes as Markdown, under its address and title', async () => {
  const { use, origin } = await webBench(
    gives('text/html', '<title>A title</title><h2>Hi</h2><p>There <a href="x">y</a></p>'),
  )
  expect(await use(webFetch, { url: `${origin}/a/b#c` })).toBe(
    `[${origin}/a/b: text/html]\nTitle: A title\n\n## Hi\n\nThere [y](${origin}/a/x)`,
  )
})

test('text and JSON come as they are, without what nobody sees', async () => {
  const { use, origin } = await webBench((request, response) => {
    if (request.url === '/json') gives('application/json', '{"a": "<b>"}')(request, response, '')
    else if (request.url === '/empty') gives('text/plain', '')(request, response, '')
    else gives('text/plain; charset=iso-8859-1', Buffer.from('caf\xe9\r\n\tx', 'latin1'))(request, response, '')
  })
  expect(await use(webFetch, { url: `${origin}/json` })).toBe(`[${origin}/json: application/json]\n{"a": "<b>"}`)
  expect(await use(webFetch, { url: `${origin}/text` })).toBe(`[${origin}/text: text/plain]\ncafé\n\tx`)
  expect(await use(webFetch, { url: `${origin}/empty` })).toContain('It is empty.')
  const hidden = await webBench(gives('text/plain', 'a\u200B\u202Eb\u{E0041}'))
  expect(await hidden.use(webFetch, { url: hidden.origin })).toMatch(/\nab$/)
})

test('after a redirect, both addresses are shown', async () => {
  const { use, origin } = await webBench((request, response) => {
    if (request.url === '/new') gives('text/plain', 'x')(request, response, '')
    else response.writeHead(302, { location: '/new' }).end()
  })
  expect(await use(webFetch, { url: `${origin}/old` })).toBe(
    `[${origin}/new, to which ${origin}/old leads: text/plain]\nx`,
  )
})

test('a page that scripts make says that they are not run', async () => {
  const { use, origin } = await webBench(gives('text/html', '<div id="app"></div><script>make()</script>'))
  expect(await use(webFetch, { url: origin })).toContain('which are not run')
})

test('PDF and images are kept, each under a free and safe name', async () => {
  const pdf = await smallPdf()
  const { use, origin, context } = await webBench(gives('application/pdf', pdf))
  const path = async (address: string) =>
    /Saved as (.+): read it with read_file\.$/.exec(await use(webFetch, { url: `${origin}${address}` }))?.[1]
  expect(await path('/docs/report.pdf')).toBe('temp/downloads/report.pdf')
  expect(await path('/docs/REPORT.pdf')).toBe('temp/downloads/REPORT-2.pdf')
  expect(await path('/view?id=1')).toBe('temp/downloads/view.pdf')
  expect(await path('/evil.exe')).toBe('temp/downloads/evil.exe.pdf')
  expect(await path('/..%2F..%2Fuploads%2Fx.pdf')).toBe('temp/downloads/x.pdf')
  expect(await path('/%E2%80%AEfdp.%00sh')).toBe('temp/downloads/fdp.sh.pdf')
  expect(await path('/100%')).toBe('temp/downloads/100%.pdf')
  expect(await path('/')).toBe('temp/downloads/127.0.0.1.pdf')
  expect(new Uint8Array(await context.workspace.read('temp/downloads/report.pdf'))).toEqual(pdf)
})

test('ten at once get ten names', async () => {
  const { use, origin, context } = await webBench(gives('application/pdf', '%PDF-1.7 x'))
  await Promise.all(Array.from({ length: 10 }, () => use(webFetch, { url: `${origin}/a.pdf` })))
  expect(await context.workspace.list('temp/downloads')).toHaveLength(10)
})

test('a page is kept as it came where a file is asked for, and may be larger then', async () => {
  const html = `<script>x</script><p>${'a'.repeat(150_000)}`
  const { use, origin, text } = await webBench(gives('text/html', html))
  await expect(use(webFetch, { url: `${origin}/a` })).rejects.toMatchObject({
    code: 'too_large',
    remedy: 'Fetch it with as "file", which takes up to 200,000 bytes.',
    isOurs: true,
  })
  expect(await use(webFetch, { url: `${origin}/a`, as: 'file' })).toContain('temp/downloads/a.html')
  expect(await text('temp/downloads/a.html')).toBe(html)
})

test('what is too large for a file, too, has no other way', async () => {
  const { use, origin } = await webBench((request, response) => {
    if (request.url === '/pdf') gives('application/pdf', `%PDF-1.7 ${'x'.repeat(250_000)}`)(request, response, '')
    else gives('text/plain', 'x'.repeat(250_000))(request, response, '')
  })
  const none = { code: 'too_large', remedy: 'Look for a smaller part of it.' }
  await expect(use(webFetch, { url: `${origin}/pdf` })).rejects.toMatchObject(none)
  await expect(use(webFetch, { url: `${origin}/text`, as: 'file' })).rejects.toMatchObject(none)
})

test('a type that isn’t fetched leads to what saves it', async () => {
  const { use, origin } = await webBench(gives('application/zip', 'x'))
  await expect(use(webFetch, { url: origin })).rejects.toMatchObject({
    code: 'bad_type',
    remedy: expect.stringMatching(
      /^Text, HTML, .* can be fetched\. http_fetch can save other files: .* upload the file\.$/,
    ),
  })
})

test('a refused request keeps nothing open', async () => {
  const { use, origin, context } = await webBench(gives('application/pdf', '<html>'))
  await expect(use(webFetch, { url: origin })).rejects.toMatchObject({ code: 'bad_type' })
  await expect(use(webFetch, { url: 'http://inside.example/' })).rejects.toMatchObject({ code: 'private_address' })
  await expect(use(webFetch, { url: 'file:///etc/passwd' })).rejects.toMatchObject({ code: 'bad_address' })
  expect(await context.workspace.stat('temp/downloads')).toBeUndefined()
})

test('what it would do is described in one notation', () => {
  expect(inspected(webFetch, { url: 'HTTPS://EXAMPLE.org:443/a/../b?c#d' })).toEqual({
    subjects: ['https://example.org/b?c'],
    wider: ['https://example.org/*'],
    unclear: [],
    hosts: ['example.org'],
  })
  expect(inspected(webFetch, { url: 'http://0x7f.1:8080/' })).toMatchObject({
    subjects: ['http://127.0.0.1:8080/'],
    hosts: ['127.0.0.1', 'private-address'],
  })
  expect(inspected(webFetch, { url: 'http://[::FFFF:127.0.0.1]/' })).toMatchObject({
    hosts: ['::ffff:7f00:1', 'private-address'],
  })
  expect(() => inspected(webFetch, { url: 'http://user:word@a.example/' })).toThrow('user name')
})
