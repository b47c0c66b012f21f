import { generateKeyPairSync } from 'node:crypto'
import { expect, test } from 'vitest'
import type { OpenDocument } from '../../src/kit/documents/document.ts'
import { createSecrets } from '../../src/kit/secrets/secrets.ts'
import { maxSecret } from '../../src/kit/secrets/span.ts'
import { linesOf } from '../support/document-text.ts'
import { bench, noDocuments } from './support.ts'

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

const keyLines = String(pem).trim().split('\n').slice(1, -1)
const shownOf = (text: string) => keyLines.filter((line) => text.includes(line.slice(0, 40)))

test.each([
  ['read_file', { path: 'temp/a.pem', offset: 3 }],
  ['read_file', { path: 'temp/a.pem', offset: 12 }],
  ['read_file', { path: 'temp/a.pem', offset: 12, limit: 2 }],
  ['read_file', { path: 'temp/a.yaml', offset: 12 }],
  ['grep_files', { pattern: '^ *[A-Za-z0-9+/]{60,}' }],
  ['grep_files', { pattern: 'END PRIVATE', context_lines: 5 }],
  ['grep_files', { pattern: 'one', context_lines: 5 }],
  ['search_file', { query: keyLines[9]?.slice(0, 9) ?? '' }],
  ['search_file', { query: 'two', context_chars: 4000 }],
  ['search_file', { query: 'end private', context_chars: 1000 }],
])('%s shows no line of a private key that begins above what it shows: %j', async (tool, input) => {
  const { run, put } = await bench({}, { mask })
  await put('temp/a.pem', `one\n${pem}two\n`)
  await put('temp/a.yaml', `one: |\n${String(pem).replace(/^(?=.)/gm, '  ')}two: 2\n`)
  expect(shownOf(mask(await run(tool, input)))).toEqual([])
})

test('a part of a document shows no line of a private key that begins above it', async () => {
  const document: OpenDocument = {
    kind: 'html',
    notes: [],
    parts: [{ unit: 'section', number: 1, characters: 9_000, hasFormulas: false }],
    lines: () => linesOf(`one\n\n${pem}\ntwo`),
    formulas: () => '',
  }
  const documents = { ...noDocuments, open: async () => document }
  const { run, put } = await bench({}, { mask, documents })
  await put('temp/a.html', '<p>one</p>')
  for (const offset of [4, 5, 20]) {
    const page = mask(await run('read_file', { path: 'temp/a.html', offset }))
    expect(page).toContain('two')
    expect(shownOf(page)).toEqual([])
  }
})

test.each(['<br>', '<br/>', '<br>\n', '$\n', ' | \n| '])(
  'a private key with its lines joined by %j is masked',
  (joint) => {
    expect(shownOf(mask(`| 1 | ${String(pem).trim().split('\n').join(joint)} |`))).toEqual([])
  },
)

test('behind a private key, and where one is only mentioned, lines stay', async () => {
  const { run, put } = await bench({}, { mask })
  const data = Array.from({ length: 4 }, (_, at) => Buffer.from(`some data ${at}`.repeat(4)).toString('base64'))
  await put('temp/a.txt', `${pem}${data.join('\n')}\n`)
  await put('temp/b.txt', `if it has -----BEGIN PRIVATE KEY-----\n  keep it\n${data.join('\n')}\n`)
  for (const [path, offset] of [
    ['temp/a.txt', 20],
    ['temp/b.txt', 2],
  ] as const) {
    const page = mask(await run('read_file', { path, offset }))
    for (const line of data) expect(page).toContain(line)
  }
})
