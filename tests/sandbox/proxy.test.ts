import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { connect, createServer as createTcp, type Server as TcpServer } from 'node:net'
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openSandbox } from '../../src/kit/sandbox/sandbox.ts'
import { runOf, type Wanted, sandbox as withoutOptions } from './support/box.ts'

const requests: string[] = []
const dialled: string[] = []
let greetings = ''
let plain: Server
let secure: TcpServer

const portOf = (server: Server | TcpServer): number => (server.address() as { port: number }).port

const names = new Map([
  ['site.test', ['93.184.216.34']],
  ['inner.test', ['10.0.0.7']],
  ['mixed.test', ['93.184.216.34', '127.0.0.1']],
])

/** The internet of these tests: its public addresses are two servers on the loopback of this machine. */
const sandbox = openSandbox({
  proxy: {
    resolve: async (name) => names.get(name) ?? [],
    connect: (address, port) => {
      dialled.push(`${address}:${port}`)
      return connect(portOf(port === 443 ? secure : plain), '127.0.0.1')
    },
    maxBytes: 3_000_000,
  },
})

beforeAll(async () => {
  plain = createServer((incoming, reply) => {
    requests.push(
      `${incoming.method} ${incoming.headers.host} ${incoming.url} ${incoming.headers['proxy-connection'] ?? ''}`,
    )
    if (incoming.url === '/endless') {
      const more = setInterval(() => reply.write(Buffer.alloc(200_000)), 5)
      reply.on('close', () => clearInterval(more))
    } else incoming.pipe(reply.writeHead(200, { 'x-from': 'site' }))
  }).listen(0, '127.0.0.1')
  secure = createTcp((socket) => {
    socket.on('error', () => socket.destroy())
    socket.on('data', (bytes) => {
      greetings += bytes.toString('latin1')
      socket.end('answer of the server')
    })
  }).listen(0, '127.0.0.1')
  await Promise.all([once(plain, 'listening'), once(secure, 'listening')])
})

afterAll(() => {
  plain.closeAllConnections()
  plain.close()
  secure.close()
})

const script = (body: string, wanted: Wanted = {}) =>
  sandbox.run(runOf(['node', '--input-type=module', '-e', body], { hosts: ['site.test', '*.site.test'], ...wanted }))

const fetching = (url: string, more = '{}') =>
  `const r = await fetch(${JSON.stringify(url)}, ${more}).catch((thrown) => ({ status: String(thrown), text: () => '' })); console.log(r.status, await r.text())`

/** Opens a tunnel by hand and tells what came of it. */
const tunnel = (to: string, then = '') => `
  import { connect } from 'node:net'
  import { connect as secure } from 'node:tls'
  const { hostname, port } = new URL(process.env.HTTPS_PROXY)
  const socket = connect(port, hostname)
  socket.on('error', () => {})
  socket.write('CONNECT ${to} HTTP/1.1\\r\\nHost: ${to}\\r\\n\\r\\n')
  let said = ''
  await new Promise((done) => {
    socket.on('close', done)
    socket.on('data', (bytes) => { said += bytes; if (said.includes('\\r\\n\\r\\n')) done() })
  })
  socket.removeAllListeners('data')
  console.log(said.split('\\r\\n')[0])
  ${then}
  socket.destroy()`

test('a granted host is reached, by Node and by Python, and exit codes stay', async () => {
  const first = await script(
    `${fetching('http://site.test/a?b', "{ method: 'POST', body: 'hello' }")}; process.exit(5)`,
  )
  expect(first).toMatchObject({ by: 'itself', stdout: '200 hello\n', exitCode: 5, refusedHosts: [] })
  expect(requests.at(-1)).toBe('POST site.test /a?b ')
  expect(dialled.at(-1)).toBe('93.184.216.34:80')
  const python = "import urllib.request as u; print(u.urlopen('http://site.test/py').headers['x-from'])"
  const second = await sandbox.run(
    runOf(['python3', '-c', `${python}\nimport os, signal; os.kill(os.getpid(), 9)`], { hosts: ['site.test'] }),
  )
  expect(second).toMatchObject({ stdout: '', endedBy: 'SIGKILL' })
  expect(requests.at(-1)).toMatch(/^GET site\.test \/py /)
})

test('everything else is refused by name', async () => {
  const urls = [
    'http://evil.test/',
    'http://127.0.0.1/',
    'http://inner.test/',
    'http://mixed.test/',
    'http://none.site.test/',
    'http://site.test:8080/',
  ]
  const before = dialled.length
  const { stdout, refusedHosts } = await script(urls.map((url) => `{ ${fetching(url)} }`).join('\n'), {
    hosts: ['site.test', '*.site.test', 'inner.test', 'mixed.test'],
  })
  expect(stdout).not.toContain('200')
  expect(dialled.length).toBe(before)
  expect(refusedHosts).toEqual([
    { host: 'evil.test', why: 'it was not granted' },
    { host: '127.0.0.1', why: 'it was not granted' },
    { host: 'inner.test', why: 'it resolves to an address that is not public' },
    { host: 'mixed.test', why: 'it resolves to an address that is not public' },
    { host: 'none.site.test', why: 'its name has no address' },
    { host: 'site.test', why: 'only the ports 80 and 443 are open' },
  ])
})

test('without the proxy nothing is reachable, granted or not', async () => {
  const direct = `import { connect } from 'node:net'
    for (const [host, port] of [['127.0.0.1', ${portOf(plain)}], ['93.184.216.34', 80]])
      await new Promise((done) => connect(port, host).on('connect', () => done(console.log('reached'))).on('error', done))`
  expect((await script(direct)).stdout).toBe('')
})

test('a tunnel carries TLS for its host, and nothing else', async () => {
  const greet = (name: string) =>
    `await new Promise((done) => secure({ socket, servername: '${name}' }).on('error', done).on('close', done))`
  const before = greetings.length
  expect((await script(tunnel('site.test:443', greet('site.test')))).stdout).toBe(
    'HTTP/1.1 200 Connection established\n',
  )
  expect(greetings.slice(before)).toContain('site.test')
  const settled = greetings.length
  const fronted = await script(tunnel('site.test:443', greet('evil.test')))
  expect(fronted.refusedHosts).toEqual([{ host: 'site.test', why: 'the connection was for evil.test' }])
  const raw = "socket.write('SSH-2.0-x\\r\\n'); await new Promise((done) => socket.on('close', done))"
  const other = await script(tunnel('site.test:443', raw))
  expect(other.refusedHosts).toEqual([
    { host: 'site.test', why: 'the connection was not TLS with the name of the host' },
  ])
  expect(greetings.length).toBe(settled)
  const refused = await script(tunnel('evil.test:443'))
  expect(refused).toMatchObject({ stdout: 'HTTP/1.1 403 Forbidden\n', refusedHosts: [{ host: 'evil.test' }] })
})

test('a tunnel to port 80 carries requests for its host alone', async () => {
  const ask = (host: string) =>
    `socket.write('GET /t HTTP/1.1\\r\\nHost: ${host}\\r\\nConnection: close\\r\\n\\r\\n'); let text = ''; socket.on('data', (b) => { text += b }); await new Promise((done) => socket.on('close', done)); console.log(text.split('\\r\\n')[0])`
  const count = requests.length
  const right = await script(tunnel('site.test:80', ask('site.test')))
  expect(right.stdout).toContain('HTTP/1.1 200 OK\n')
  expect(requests.length).toBe(count + 1)
  const wrong = await script(tunnel('site.test:80', ask('evil.test')))
  expect(wrong.stdout).toContain('HTTP/1.1 400 Bad Request\n')
  expect(requests.length).toBe(count + 1)
})

test('traffic has a limit', async () => {
  const body = `const r = await fetch('http://site.test/endless'); let sum = 0
    try { for await (const part of r.body) sum += part.length } catch { console.log('cut', sum < 60e6) }`
  expect((await script(body)).stdout).toBe('cut true\n')
})

test('traffic has no limit for a program that stays', async () => {
  const body = `const r = await fetch('http://site.test/endless'); let sum = 0
    for await (const part of r.body) if ((sum += part.length) > 5e6) break
    console.log('enough'); process.exit()`
  const [input, output] = [new PassThrough(), new PassThrough()]
  const said = text(output)
  await script(body, { talk: { input, output, errors: () => {} } })
  output.end()
  expect(await said).toBe('enough\n')
})

test('a command that is ended takes its connections along', async () => {
  const result = await script(
    "const r = await fetch('http://site.test/endless'); await new Promise(() => setInterval(() => {}, 1000))",
    {
      limits: { timeoutMs: 1_500 },
    },
  )
  expect(result.by).toBe('timeout')
  await expect.poll(() => new Promise((done) => plain.getConnections((_, count) => done(count)))).toBe(0)
})

test('without hosts there is no proxy', async () => {
  const { stdout } = await withoutOptions.run(runOf(['bash', '-c', 'env | grep -i proxy; ls /opt/bobbin']))
  expect(stdout).toBe('bin\n')
})
