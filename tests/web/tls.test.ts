import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { testWeb, text } from './support.ts'

const made = { key: '', cert: '' }

beforeAll(() => {
  const folder = mkdtempSync(join(tmpdir(), 'bobbin-tls-'))
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
  const name = ['-subj', '/CN=secure.example', '-addext', 'subjectAltName=DNS:secure.example']
  const kind = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '1']
  execFileSync('openssl', ['req', ...kind, '-keyout', key, '-out', cert, ...name], { stdio: 'ignore' })
  made.key = readFileSync(key, 'utf8')
  made.cert = readFileSync(cert, 'utf8')
  rmSync(folder, { recursive: true })
})

async function secureSite(location?: string): Promise<number> {
  const server = createServer(made, (_, response) => {
    if (location !== undefined) response.writeHead(302, { location })
    response.end('safe')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  // It listens on TCP.
  return (server.address() as AddressInfo).port
}

function trustOurs(): void {
  const before = getCACertificates('default')
  setDefaultCACertificates([...before, made.cert])
  onTestFinished(() => setDefaultCACertificates(before))
}

const names = { 'secure.example': [['127.0.0.1']], 'other.example': [['127.0.0.1']] }

test('a certificate is held against the name, though an address is dialled', async () => {
  trustOurs()
  const port = await secureSite()
  const { get, dialled } = testWeb(names)
  expect(text(await get(`https://secure.example:${port}/`))).toBe('safe')
  await expect(get(`https://other.example:${port}/`)).rejects.toMatchObject({ code: 'not_reached' })
  await expect(get(`https://127.0.0.1:${port}/`)).rejects.toMatchObject({ code: 'not_reached' })
  expect(new Set(dialled)).toEqual(new Set([`127.0.0.1:${port}`]))
})

test('a certificate that nobody vouches for is refused', async () => {
  const port = await secureSite()
  await expect(testWeb(names).get(`https://secure.example:${port}/`)).rejects.toMatchObject({
    code: 'not_reached',
    message: expect.stringContaining('DEPTH_ZERO_SELF_SIGNED_CERT'),
  })
})

test('what leads from https to http is not followed', async () => {
  trustOurs()
  const port = await secureSite('http://secure.example/')
  await expect(testWeb(names).get(`https://secure.example:${port}/`)).rejects.toMatchObject({ code: 'bad_redirect' })
})
