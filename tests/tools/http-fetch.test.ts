import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { requestInput, secretsOf, withSecrets } from '../../src/capabilities/web/request.ts'
import { isFor } from '../../src/capabilities/web/secrets.ts'
import { shippedConfig } from '../support/shipped.ts'

const secret = (name: string) => ({ KEY: 'a"b/c&d', OTHER: 'o' })[name] ?? ''
const filled = (input: object) => withSecrets(requestInput.parse(input), secret)

test('a secret is written as its place requires, and never as the host', () => {
  const { url, headers } = filled({
    url: `https://\${KEY}.example/bot\${KEY}/x?q=\${OTHER}&r=$%7BKEY%7D#\${KEY}`,
    headers: { 'X-Key': `\${KEY}` },
  })
  expect(url.href).toBe(`https://\${key}.example/bota%22b%2Fc%26d/x?q=o&r=a%22b%2Fc%26d`)
  expect(headers).toEqual({ 'x-key': 'a"b/c&d' })
  const body = (type: string) =>
    filled({ url: 'https://a.example', body: `=\${KEY}`, headers: { 'Content-Type': type } }).body
  expect(body('application/json; charset=utf-8')).toBe('=a\\"b/c&d')
  expect(body('application/x-www-form-urlencoded')).toBe('=a%22b%2Fc%26d')
  expect(body('text/plain')).toBe('=a"b/c&d')
})

test('every place that names a secret counts, and only capital names do', () => {
  const input = {
    url: `https://a.example/\${ONE}?$%7BTWO%7D`,
    headers: { a: `\${THREE}` },
    body: `\${FOUR} \${five} $SIX`,
  }
  expect(secretsOf(requestInput.parse(input)).sort()).toEqual(['FOUR', 'ONE', 'THREE', 'TWO'])
})

test.each([
  { Host: 'b.example' },
  { 'proxy-authorization': 'x' },
  { 'a b': 'c' },
  { a: 'b\r\nc: d' },
  { 'Content-Length': '1' },
])('the header %o is refused', (headers) => {
  expect(requestInput.safeParse({ url: 'https://a.example', headers }).success).toBe(false)
})

test.each([
  ['https://api.example/x', 'api.example', true],
  ['https://API.example.:8443/x', 'api.example', true],
  ['http://api.example/x', 'api.example', false],
  ['http://api.example/x', 'http://api.example', true],
  ['https://a.b.example/x', '*.b.example', true],
  ['https://b.example/x', '*.b.example', false],
  ['https://evilb.example/x', '*.b.example', false],
  ['https://api.example.evil.example/', 'api.example', false],
])('%s for %s: %s', (url, host, is) => {
  expect(isFor(new URL(url), host)).toBe(is)
})

test('a secret that is not set, or too plain to be masked, is a fault of the configuration; a line end isn’t part of it', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'bobbin-http-'))
  await writeFile(join(dir, 'bobbin.yaml'), 'web: { secrets: { ONE: [a.example], TWO: [b.example] } }\n')
  const load = (environment: Record<string, string>) => () => shippedConfig({ BOBBIN_CONFIG_DIR: dir, ...environment })
  expect(load({ ONE: 'changeme' })).toThrow(/ONE is too short or too plain.*no environment variable TWO/)
  expect(load({ ONE: 'x7Kq-92mZ-pl0', TWO: 'q8Lr-03nY-om1\r\n' })().variables).toEqual({
    ONE: 'x7Kq-92mZ-pl0',
    TWO: 'q8Lr-03nY-om1',
  })
  await rm(dir, { recursive: true })
})
