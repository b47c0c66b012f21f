import { generateKeyPairSync } from 'node:crypto'
import { expect, test } from 'vitest'
import { createSecrets } from '../../src/kit/secrets/secrets.ts'
import { maxSecret } from '../../src/kit/secrets/span.ts'
import { bench } from './support.ts'

const { mask } = createSecrets([])
const github = `ghp_${'q7Rt2LmX9vBn4KcZ8wHs'}${'1JdF6gPy3TaE5uQo'}`
const pem = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ type: 'pkcs8', format: 'pem' })
const account = JSON.stringify({ type: 'service_account', private_key: pem, client_email: 'bot@example.com' })

test.each([
  ['password', 'DB_PASSWORD=k3yb9oard!', 'k3yb9oard'],
  ['password', '{"password": "k3yb9oard!"}', 'k3yb9oard'],
  ['ghp_', `the token ${github} of ours`, github.slice(4)],
])('search_file for “%s” breaks no secret apart: %s', async (query, line, secret) => {
  const { run, put } = await bench({}, { mask })
  await put('temp/a.txt', `one\n${line}\nthree\n`)
  const found = mask(await run('search_file', { query }))
  expect(found).toContain('temp/a.txt, line 2')
  expect(found).toContain('[secret')
  expect(found).not.toContain(secret)
})

test('search_file for the first line of a private key breaks the key apart nowhere', async () => {
  const { run, put } = await bench({}, { mask })
  await put('temp/a.pem', `one\n${pem}`)
  const found = mask(await run('search_file', { query: 'begin', context_chars: 4000 }))
  expect(found).toContain('[secret')
  expect(found).not.toContain(String(pem).split('\n')[5])
})

test.each([
  ['grep_files', { pattern: 'client_email' }],
  ['search_file', { query: 'client_email' }],
  ['search_file', { query: 'client_email', context_chars: 1000 }],
  ['search_file', { query: 'below', context_chars: 2000 }],
])('%s shows nothing of a private key that begins left of where a line is cut: %j', async (tool, input) => {
  const { run, put } = await bench({ lineCharacters: 1000 }, { mask })
  await put('temp/a.txt', `${account}\nbelow\n`)
  const found = mask(await run(tool, input))
  expect(found).toContain('client_email')
  expect(found).not.toContain(String(pem).split('\n')[25])
})

test.each([
  ['grep_files', { pattern: 'needle' }],
  ['search_file', { query: 'needle' }],
  ['search_file', { query: 'needle', context_chars: 1000 }],
])('%s masks of long lines only what may be shown: %j', async (tool, input) => {
  let steps = 0
  const counted = (text: string) => {
    steps += text.length
    return mask(text)
  }
  const { run, put } = await bench({}, { mask: counted })
  const half = 'lorem ipsum '.repeat(20_000)
  await put('temp/a.txt', `${half}\n${half}needle ${half}\n`.repeat(5))
  expect(await run(tool, input)).toContain('needle')
  expect(steps).toBeGreaterThan(0)
  expect(steps).toBeLessThan(15 * 3 * maxSecret)
})

test('search_file masks a short line with its passage, not by itself too', async () => {
  const masked: string[] = []
  const counted = (text: string) => {
    masked.push(text)
    return mask(text)
  }
  const { run, put } = await bench({}, { mask: counted })
  await put('temp/a.txt', 'a needle\n'.repeat(100))
  expect(await run('search_file', { query: 'needle' })).toContain('needle')
  expect(masked).not.toContain('a needle')
})

test('grep_files lets others have their turn between long lines that it masks', async () => {
  let turns = 0
  let next: NodeJS.Immediate
  const count = () => {
    turns++
    next = setImmediate(count)
  }
  next = setImmediate(count)
  const seen = new Set<number>()
  const counted = (text: string) => {
    seen.add(turns)
    return mask(text)
  }
  const { run, put } = await bench({}, { mask: counted })
  await put('temp/a.txt', `${'lorem ipsum '.repeat(300)}needle\n`.repeat(20))
  await run('grep_files', { pattern: 'needle' })
  clearImmediate(next)
  expect(seen.size).toBe(20)
})
