import { describe, expect, test } from 'vitest'
import { oneByOne } from '../../src/kit/net/foreign-names.ts'
import { withoutInvisible } from '../../src/kit/text/invisible.ts'
import { isForeign } from '../../src/kit/web/places.ts'
import { webAddress } from '../../src/kit/web/port.ts'
import { eventually } from '../support/until.ts'
import { site, testWeb, text } from './support.ts'

describe('refused without a connection', () => {
  test.each([
    'http://127.0.0.1/',
    'http://127.1/',
    'http://2130706433/',
    'http://0x7f000001/',
    'http://0x7f.0.0.1/',
    'http://0177.0.0.1/',
    'http://017700000001/',
    'http://127.0.0.1./',
    'http://①②⑦.0.0.1/',
    'http://0/',
    'http://0.0.0.0/',
    'http://10.0.0.1/',
    'http://172.16.9.9/',
    'http://192.168.1.1:8080/',
    'http://100.64.0.1/',
    'http://169.254.169.254/latest/meta-data/',
    'http://0xa9fea9fe/',
    'http://224.0.0.1/',
    'http://255.255.255.255/',
    'http://[::1]/',
    'http://[::]/',
    'http://[fd00::1]/',
    'http://[fe80::1]/',
    'http://[::ffff:127.0.0.1]/',
    'http://[::ffff:7f00:1]/',
    'http://[::127.0.0.1]/',
    'http://[64:ff9b::7f00:1]/',
    'http://[2002:7f00:1::]/',
    'https://127.0.0.1/',
  ])('%s', async (url) => {
    const { get, dialled, asked } = testWeb({}, { loopback: false })
    await expect(get(url)).rejects.toMatchObject({ code: 'private_address' })
    expect([...dialled, ...asked]).toEqual([])
  })

  test.each([
    ['localhost', ['127.0.0.1', '::1']],
    ['metadata.google.internal', ['169.254.169.254']],
    ['intranet', ['10.1.2.3']],
    ['mapped.example', ['::ffff:10.0.0.1']],
    ['zone.example', ['fe80::1%eth0']],
    ['odd.example', ['not an address']],
    ['octal.example', ['0177.0.0.1']],
    ['xn--mnchen-3ya.example', ['192.168.0.9']],
    ['two.example', ['93.184.215.14', '10.0.0.1']],
    ['last.example', ['93.184.215.14', '93.184.215.15', '93.184.215.16', '93.184.215.17', '::1']],
  ])('the name %s, which leads to %j', async (name, addresses) => {
    const { get, dialled, asked } = testWeb({ [name]: [addresses] }, { loopback: false })
    await expect(get(`http://${name}/`)).rejects.toMatchObject({ code: 'private_address' })
    expect(dialled).toEqual([])
    expect(asked).toEqual([name])
  })

  test.each(['localhost.', 'LOCALHOST..', 'localhost。', 'l%6fcalhost', 'ｌｏｃａｌｈｏｓｔ．', 'loc\u00adalhost'])(
    'one name however it is written: %s',
    async (name) => {
      const { get, asked } = testWeb({ localhost: [['127.0.0.1']] }, { loopback: false })
      await expect(get(`http://${name}/`)).rejects.toMatchObject({ code: 'private_address' })
      expect(asked).toEqual(['localhost'])
    },
  )

  test.each([
    'ftp://example.org/',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'data:text/html,hi',
    'gopher://example.org/',
    'example.org',
    '//example.org/',
    '',
    'http://',
    'http://[fe80::1%25eth0]/',
    'http://127.0.0.256/',
    'http://user@example.org/',
    'http://user:word@example.org/',
    'https://example.org@127.0.0.1/',
    'http://:word@example.org/',
  ])('what is no plain address: %s', async (url) => {
    const { get, dialled, asked } = testWeb()
    await expect(get(url)).rejects.toMatchObject({ code: 'bad_address' })
    expect([...dialled, ...asked]).toEqual([])
  })

  test('what is too long to be an address', () => {
    expect(() => webAddress(`https://example.org/${'a'.repeat(5000)}`)).toThrow('isn’t a web address')
  })

  test('this machine by its public name', () => {
    expect(isForeign('93.184.215.14')).toBe(true)
    expect(isForeign('127.0.0.1')).toBe(false)
    expect(isForeign('::1')).toBe(false)
  })
})

test('a name is asked for once, and what is dialled is what was checked', async () => {
  const { port, requests } = await site((_, response) => response.end('hello'))
  const rebinding = testWeb({ 'a.example': [['127.0.0.1'], ['10.0.0.1']] })
  const fetched = await rebinding.get(`http://A.example:${port}/x#part`)
  expect(text(fetched)).toBe('hello')
  expect(fetched.url).toBe(`http://a.example:${port}/x`)
  expect(rebinding.asked).toEqual(['a.example'])
  expect(rebinding.dialled).toEqual([`127.0.0.1:${port}`])
  expect(requests[0]?.headers.host).toBe(`a.example:${port}`)
  await expect(rebinding.get(`http://a.example:${port}/x`)).rejects.toMatchObject({ code: 'private_address' })
  expect(rebinding.dialled).toHaveLength(1)
})

test('the address of a connection is checked again', async () => {
  const { origin } = await site((_, response) => response.end('hello'))
  let looks = 0
  const { get } = testWeb({}, { isAllowed: () => ++looks === 1 })
  await expect(get(origin)).rejects.toMatchObject({ code: 'private_address' })
  expect(looks).toBe(2)
})

test('the next address is tried where the first does not answer', async () => {
  const { port } = await site((_, response) => response.end('hello'))
  const both = testWeb(
    { 'two.example': [['127.0.0.9', '127.0.0.1']] },
    { isAllowed: (address) => address.startsWith('127.') },
  )
  expect(text(await both.get(`http://two.example:${port}/`))).toBe('hello')
  expect(both.dialled).toEqual([`127.0.0.9:${port}`, `127.0.0.1:${port}`])
})

test('says who asks, and nothing else about us', async () => {
  const { origin, requests } = await site((_, response) => {
    response.setHeader('set-cookie', 'a=b')
    response.end('x')
  })
  const { get } = testWeb()
  await get(origin)
  await get(origin)
  expect(requests[1]?.headers).toMatchObject({ 'user-agent': 'Bobbin/9.9.9' })
  expect(Object.keys(requests[1]?.headers ?? {}).toSorted()).toEqual([
    'accept',
    'accept-encoding',
    'connection',
    'host',
    'user-agent',
  ])
})

test('a name that is not there, and a server that is not there', async () => {
  const { get } = testWeb()
  await expect(get('http://nobody.example/')).rejects.toMatchObject({ code: 'not_reached' })
  await expect(get('http://127.0.0.1:1/')).rejects.toMatchObject({ code: 'not_reached' })
})

test('one name is looked up at a time, and none that nobody waits for any more', async () => {
  const asked: string[] = []
  const slow = Promise.withResolvers<string[]>()
  const resolve = oneByOne((name) => {
    asked.push(name)
    return name === 'slow.example' ? slow.promise : Promise.resolve(['10.0.0.1'])
  })
  const { get } = testWeb({}, { resolve })
  const stopped = new AbortController()
  const fetched = [
    expect(get('http://slow.example/')).rejects.toMatchObject({ code: 'not_reached' }),
    expect(get('http://stopped.example/', { signal: stopped.signal })).rejects.toThrow('stopped'),
    expect(get('http://next.example/')).rejects.toMatchObject({ code: 'private_address' }),
  ]
  await eventually(() => expect(asked).not.toEqual([]))
  stopped.abort(new Error('stopped'))
  await fetched[1]
  expect(asked).toEqual(['slow.example'])
  slow.reject(new Error('nobody answers'))
  await Promise.all(fetched)
  expect(asked).toEqual(['slow.example', 'next.example'])
})

test('an address has one notation', () => {
  expect(webAddress(' HTTPS://EXAMPLE.org:443/a/../b?c#d ').href).toBe('https://example.org/b?c')
  expect(webAddress('http://münchen.example/').hostname).toBe('xn--mnchen-3ya.example')
  expect(webAddress('http://0x7f.1/').hostname).toBe('127.0.0.1')
})

test('what nobody sees is taken out of a text, and what writing needs stays', () => {
  const hidden = '\u200B\u200E\u202E\u2066\u2069\u00AD\uFEFF\u{E0041}\u{E0100}\u3164\u115F\u0000\u001B\u2028\uE000'
  expect(withoutInvisible(`a${[...hidden].join('b')}c`)).toBe(`a${'b'.repeat([...hidden].length - 1)}c`)
  expect(withoutInvisible('\u200D\u200Dx\u200C\u200D')).toBe('x')
  for (const kept of ['👩‍❤️‍👨', 'می‌خواهم', '1️⃣ ☀️', 'क्‍ष', 'line\n\tx']) expect(withoutInvisible(kept)).toBe(kept)
})
