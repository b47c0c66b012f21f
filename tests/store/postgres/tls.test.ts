import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { TLSSocket } from 'node:tls'
import { expect, onTestFinished, test } from 'vitest'
import { systemClock } from '../../../src/kit/clock.ts'
import { Store } from '../../../src/store/store.ts'
import { scratch } from '../../support/store.ts'

/** Answers the first thing that a client sends, as a PostgreSQL server would. Resolves to its address. */
async function server(answer: (socket: Socket) => void): Promise<string> {
  const listening = createServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', () => answer(socket))
  })
  listening.listen(0, '127.0.0.1')
  await once(listening, 'listening')
  onTestFinished(() => {
    listening.close()
  })
  // It listens on TCP.
  return `postgres://bobbin:secret@127.0.0.1:${(listening.address() as AddressInfo).port}/bobbin?connect_timeout=120`
}

const open = (url: string) => Store.open(url, systemClock)

function refusal(code: string, message: string): Buffer {
  const fields = `SFATAL\0C${code}\0M${message}\0\0`
  const head = Buffer.from('E\0\0\0\0')
  head.writeUInt32BE(4 + Buffer.byteLength(fields), 1)
  return Buffer.concat([head, Buffer.from(fields)])
}

test('a server that may only accept encrypted connections is told from a wrong password', async () => {
  const text = 'no pg_hba.conf entry for host "10.0.0.1", user "bobbin", database "bobbin", no encryption'
  const url = await server((socket) => socket.end(refusal('28000', text)))
  await expect(open(url)).rejects.toMatchObject({ code: 'database_denied', remedy: expect.stringContaining('sslmode') })
})

test('so is one without encryption, where the address asks for it', async () => {
  const url = await server((socket) => socket.end('N'))
  const remedy = expect.stringContaining('remove sslmode')
  await expect(open(`${url}&sslmode=verify-full`)).rejects.toMatchObject({ code: 'database_denied', remedy })
})

test('so is a certificate that nobody vouches for', async () => {
  const folder = await scratch()
  const [keyFile, certFile] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
  const kind = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '1']
  const made = ['req', ...kind, '-keyout', keyFile, '-out', certFile, '-subj', '/CN=database.example']
  execFileSync('openssl', made, { stdio: 'ignore' })
  const [key, cert] = [readFileSync(keyFile), readFileSync(certFile)]
  const url = await server((socket) => {
    socket.write('S')
    new TLSSocket(socket, { isServer: true, key, cert }).on('error', () => {})
  })
  const remedy = expect.stringContaining('sslrootcert')
  await expect(open(`${url}&sslmode=verify-full`)).rejects.toMatchObject({ code: 'database_denied', remedy })
  // The right one, for another host.
  const trusted = `${url}&sslmode=verify-full&sslrootcert=${encodeURIComponent(certFile)}`
  await expect(open(trusted)).rejects.toMatchObject({ code: 'database_denied', remedy })
})
