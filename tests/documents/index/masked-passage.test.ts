import { generateKeyPairSync } from 'node:crypto'
import { expect, test } from 'vitest'
import { sheetPassage, textPassage } from '../../../src/capabilities/documents/index/passage.ts'
import { createSecrets } from '../../../src/kit/secrets/secrets.ts'

const { mask } = createSecrets([])
const pem = String(
  generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ type: 'pkcs8', format: 'pem' }),
)

test('a passage that begins inside a private key shows nothing of it', () => {
  const text = `Our key:\n${pem}The server is in Bonn.`
  const start = text.indexOf('server')
  const place = { start: start - 500, end: text.length }
  const read = (from: number, to: number) => text.slice(from, to)
  const passage = textPassage(place, [{ start, end: start + 6 }], text.length, read, mask)
  expect(passage).toContain('in Bonn.')
  expect(passage).not.toContain(pem.split('\n')[25])
  const after = textPassage(
    { start: start - 4, end: text.length },
    [{ start, end: start + 6 }],
    text.length,
    read,
    mask,
  )
  expect(after).toBe('…The **server** is in Bonn.')
})

test('a cell that is cut inside a private key shows nothing of it', () => {
  const account = JSON.stringify({ private_key: pem, client_email: 'bot@example.com' })
  const text = `| | A |\n| --- | --- |\n| 1 | ${account} |\n`
  const start = text.indexOf('client_email')
  const read = (from: number, to: number) => text.slice(from, to)
  const found = { spans: [{ start, end: start + 12 }], within: { start: 0, end: text.length } }
  const passage = sheetPassage(found, 1000, [], read, mask)?.passage
  expect(passage).toContain('client_email')
  expect(passage).not.toContain(pem.split('\n')[25])
})
