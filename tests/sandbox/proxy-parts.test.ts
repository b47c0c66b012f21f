import { once } from 'node:events'
import { request } from 'node:http'
import { createServer, connect as dial, Socket } from 'node:net'
import { connect } from 'node:tls'
import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { openProxy } from '../../src/kit/sandbox/proxy/proxy.ts'
import { addressFor } from '../../src/kit/sandbox/proxy/route.ts'
import { isGranted, requestTarget, tunnelTarget } from '../../src/kit/sandbox/proxy/target.ts'
import { tlsName } from '../../src/kit/sandbox/proxy/tls-name.ts'
import { eventually } from '../support/until.ts'

test('all notations of a host are the same host', () => {
  expect(tunnelTarget('Example.COM.:443')).toEqual({ host: 'example.com', port: 443, path: '/' })
  expect(tunnelTarget('example.com:80')).toMatchObject({ port: 80 })
  expect(requestTarget('http://example.com/a?b=c#d')).toEqual({ host: 'example.com', port: 80, path: '/a?b=c' })
  for (const host of ['127.0.0.1', '0x7f.1', '2130706433', '0177.1', '127.1', '１２７.0.0.1']) {
    expect(tunnelTarget(`${host}:443`)?.host, host).toBe('127.0.0.1')
  }
  expect(tunnelTarget('[::FFFF:127.0.0.1]:443')?.host).toBe('::ffff:7f00:1')
})

test("anything that isn't a target is refused", () => {
  for (const text of [
    'example.com',
    'a@example.com:443',
    'example.com:443/x',
    ':443',
    'a b:443',
    'x:99999',
    'a\\b:443',
  ]) {
    expect(tunnelTarget(text), text).toBe(undefined)
  }
  for (const text of ['/path', 'https://example.com/', 'ftp://example.com/', 'http://a@example.com/', 'http://', '*']) {
    expect(requestTarget(text), text).toBe(undefined)
  }
})

test('grants are for exact names, or for everything below one', () => {
  const granted = ['Example.com', '*.pypi.org', '93.184.216.34', '*.', '*']
  for (const host of ['example.com', 'files.pypi.org', 'a.b.pypi.org', '93.184.216.34']) {
    expect(isGranted(host, granted), host).toBe(true)
  }
  for (const host of [
    'www.example.com',
    'pypi.org',
    'evilpypi.org',
    '.pypi.org',
    'example.com.evil',
    '1.1.1.1',
    '',
    'x.',
  ]) {
    expect(isGranted(host, granted), host).toBe(false)
  }
})

test('one address is dialled, and only when all are public', async () => {
  const to = (host: string, port: number, addresses: string[]) =>
    addressFor(
      { host, port, path: '/' },
      ['a.test', '127.0.0.1', '8.8.8.8'],
      async () => addresses,
      new AbortController().signal,
    )
  expect(await to('a.test', 443, ['8.8.8.8', '1.1.1.1'])).toBe('8.8.8.8')
  expect(await to('8.8.8.8', 80, [])).toBe('8.8.8.8')
  await expect(to('a.test', 443, ['8.8.8.8', '10.0.0.1'])).rejects.toThrow('not public')
  await expect(to('a.test', 443, ['::ffff:127.0.0.1'])).rejects.toThrow('not public')
  await expect(to('a.test', 443, [])).rejects.toThrow('no address')
  await expect(to('a.test', 22, ['8.8.8.8'])).rejects.toThrow('ports 80 and 443')
  await expect(to('127.0.0.1', 80, [])).rejects.toThrow('not public')
  await expect(to('b.test', 80, ['8.8.8.8'])).rejects.toThrow('not granted')
})

async function greeting(servername: string): Promise<Buffer> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  const client = connect({ port, host: '127.0.0.1', servername })
  client.on('error', () => {})
  const [socket] = await once(server, 'connection')
  const [bytes] = await once(socket, 'data')
  client.destroy()
  socket.destroy()
  server.close()
  return bytes
}

/** The same greeting in records of `size` bytes. */
function inRecords(bytes: Buffer, size: number): Buffer {
  const body = bytes.subarray(5)
  const records: Buffer[] = []
  for (let at = 0; at < body.length; at += size) {
    const part = body.subarray(at, at + size)
    records.push(Buffer.from([22, 3, 1, part.length >> 8, part.length & 255]), part)
  }
  return Buffer.concat(records)
}

test.each(['plain', 'tunnel'])('a host that never answers is told as one that cannot be reached: %s', async (way) => {
  const proxy = await openProxy(['mute.test'], {
    resolve: async () => ['93.184.216.34'],
    connect: () => {
      const mute = new Socket()
      // As after its time.
      setImmediate(() => mute.destroy())
      return mute
    },
  })
  onTestFinished(() => proxy.close())
  const [method, path] = way === 'plain' ? ['GET', 'http://mute.test/'] : ['CONNECT', 'mute.test:443']
  const asked = request({ socketPath: proxy.socket, method, path, headers: { host: 'mute.test' } }).end()
  const [reply] = await once(asked, way === 'plain' ? 'response' : 'connect')
  expect(reply.statusCode).toBe(502)
})

test('what a program asks for isn’t looked up once it has ended', async () => {
  const asked = Promise.withResolvers<AbortSignal>()
  const proxy = await openProxy(['slow.test'], {
    resolve: (_, signal) => {
      asked.resolve(signal)
      return new Promise(() => {})
    },
  })
  const sent = request({ socketPath: proxy.socket, method: 'CONNECT', path: 'slow.test:443' }).end()
  sent.on('error', () => {})
  const signal = await asked.promise
  expect(signal.aborted).toBe(false)
  await proxy.close()
  expect(signal.aborted).toBe(true)
})

test.each(['plain', 'tunnel'])('what a program no longer waits for isn’t looked up: %s', async (way) => {
  const asked = Promise.withResolvers<AbortSignal>()
  const proxy = await openProxy(['slow.test'], {
    resolve: (_, signal) => {
      asked.resolve(signal)
      return new Promise(() => {})
    },
  })
  onTestFinished(() => proxy.close())
  const [method, path] = way === 'plain' ? ['GET', 'http://slow.test/'] : ['CONNECT', 'slow.test:443']
  const sent = request({ socketPath: proxy.socket, method, path }).end()
  sent.on('error', () => {})
  const signal = await asked.promise
  expect(signal.aborted).toBe(false)
  sent.destroy()
  await eventually(() => expect(signal.aborted).toBe(true))
})

test('a name that can’t be resolved is noted although the program no longer waited', async () => {
  const asked = Promise.withResolvers<AbortSignal>()
  const proxy = await openProxy(['slow.test'], {
    resolve: async (_, signal) => {
      asked.resolve(signal)
      await once(signal, 'abort')
      throw new Error('its servers don’t answer')
    },
  })
  onTestFinished(() => proxy.close())
  const sent = request({ socketPath: proxy.socket, path: 'http://slow.test/' }).end()
  sent.on('error', () => {})
  await asked.promise
  sent.destroy()
  await eventually(() => expect(proxy.refused()).toEqual([{ host: 'slow.test', why: 'its name cannot be resolved' }]))
})

test('many requests at once on a connection bring no warning into the log', async () => {
  const warned: string[] = []
  const warn = ({ message }: Error) => void warned.push(message)
  process.on('warning', warn)
  onTestFinished(() => void process.off('warning', warn))
  const all = Promise.withResolvers<void>()
  let asked = 0
  const proxy = await openProxy(['slow.test'], {
    resolve: () => {
      if (++asked === 20) all.resolve()
      return new Promise(() => {})
    },
  })
  onTestFinished(() => proxy.close())
  const near = dial(proxy.socket)
  near.write('GET http://slow.test/ HTTP/1.1\r\nHost: slow.test\r\n\r\n'.repeat(20))
  await all.promise
  near.destroy()
  await new Promise(setImmediate)
  expect(warned.filter((one) => one.includes('listeners'))).toEqual([])
})

test('the name in a TLS ClientHello is found, whole and in parts', async () => {
  const bytes = await greeting('Files.Example.com')
  expect(tlsName(bytes)).toEqual({ kind: 'name', name: 'files.example.com' })
  for (const size of [1, 3, 50, 300]) {
    expect(tlsName(inRecords(bytes, size))).toEqual({ kind: 'name', name: 'files.example.com' })
  }
  for (let length = 0; length < bytes.length; length++) {
    expect(tlsName(bytes.subarray(0, length)), String(length)).toEqual({ kind: 'more' })
  }
  expect(tlsName(await greeting(''))).toEqual({ kind: 'none' })
  expect(tlsName(Buffer.from('GET / HTTP/1.1\r\n'))).toEqual({ kind: 'none' })
})

test('damaged ClientHellos do no harm', async () => {
  const bytes = await greeting('example.com')
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(bytes.length - 1), fc.nat(255)), { maxLength: 8 }), (changes) => {
      const damaged = Buffer.from(bytes)
      for (const [at, value] of changes) damaged[at] = value
      expect(['name', 'more', 'none']).toContain(tlsName(damaged).kind)
    }),
  )
  fc.assert(fc.property(fc.uint8Array({ maxLength: 400 }), (noise) => void tlsName(noise)))
})
