import { join } from 'node:path'
import Database from 'better-sqlite3'
import Papa from 'papaparse'
import { describe, expect, test } from 'vitest'
import { auditCommand } from '../../src/cli/audit.ts'
import { csvHeader, csvLines } from '../../src/cli/audit-formats.ts'
import type { Json } from '../../src/kit/json.ts'
import { type AuditEntry, type AuditKind, appendAudit, auditHash, auditRoot } from '../../src/store/audit.ts'
import { Store } from '../../src/store/store.ts'
import { scratch } from '../support/store.ts'
import { bobbinHere as bobbin } from './support.ts'

interface Line {
  seq: number
  at: number
  time: string
  kind: string
  session: string | null
  previous: string
  hash: string
  data: Record<string, Json>
}

async function dataWith(...entries: { kind: AuditKind; data: Record<string, Json> }[]): Promise<string> {
  const directory = await scratch()
  const store = await Store.open(join(directory, 'bobbin.db'), { now: () => Date.UTC(2026, 0, 2, 3, 4, 5, 6) })
  await store.transaction(async (tx) => {
    for (const { kind, data } of entries) await appendAudit(tx, { kind, session: 'ses_1', data })
  })
  await store.close()
  return directory
}

const some = (count: number) =>
  Array.from({ length: count }, (_, place) => ({ kind: 'started' as const, data: { call: `call_${place + 1}` } }))

const linesOf = (out: string): Line[] =>
  out
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))

describe('audit verify', () => {
  test('prints the head, which is good for the next time', async () => {
    const directory = await dataWith(...some(3))
    const first = await bobbin(directory, 'audit', 'verify')
    expect(first).toMatchObject({ code: 0, err: '', out: expect.stringContaining('intact: 3 entries.\nHead: 3:') })
    const head = /^Head: (\S+)$/m.exec(first.out)?.[1] ?? ''
    expect(await bobbin(directory, 'audit', 'verify', '--head', head)).toMatchObject({ code: 0 })
    const later = head.replace('3:', '4:')
    expect(await bobbin(directory, 'audit', 'verify', '--head', later)).toMatchObject({
      code: 1,
      err: expect.stringContaining('its end was cut off'),
    })
  })

  test('says where it is broken', async () => {
    const directory = await dataWith(...some(3))
    const db = new Database(join(directory, 'bobbin.db'))
    db.exec(`drop trigger audit_is_never_changed; update audit set data = '{}' where seq = 2`)
    db.close()
    expect(await bobbin(directory, 'audit', 'verify')).toMatchObject({
      code: 1,
      out: '',
      err: expect.stringContaining('The audit log is broken at entry 2. Entry 2 was changed.\n'),
    })
  })

  test.each([
    [['verify', '--head', '3'], 'That isn’t a head'],
    [['verify', '--tail', '3'], '--tail'],
    [['export', '--format', 'xml'], 'There is no format xml.'],
    [['export', '--after', '-1'], '--after'],
    [['export', '--kind', 'toString'], 'There is no kind "toString". There are: asked, voted,'],
    [['burn'], 'There is no "audit burn".'],
    [[], 'Verify or export?'],
  ])('%s is a mistake, and it says what there is', async (args, message) => {
    await expect(auditCommand(args)).rejects.toMatchObject({
      name: 'UsageFault',
      message: expect.stringContaining(message),
      usage: expect.stringMatching(/^Usage: audit verify/),
    })
  })

  test('of a mistake the exit code is 2, and nothing is printed', async () => {
    const { code, out, err } = await bobbin(await scratch(), 'audit', 'burn')
    expect([code, out, err]).toEqual([2, '', expect.stringContaining('There is no "audit burn". Usage: audit verify')])
  })
})

describe('audit export', () => {
  test('prints lines by which the chain can be checked without the bot', async () => {
    const directory = await dataWith(...some(501), { kind: 'decided', data: { said: 'deny', reason: 'a "b"\n=c' } })
    const lines = linesOf((await bobbin(directory, 'audit', 'export')).out)
    expect(lines.map(({ seq }) => seq)).toEqual(Array.from({ length: 502 }, (_, place) => place + 1))
    expect(lines.at(-1)).toMatchObject({ time: '2026-01-02T03:04:05.006Z', kind: 'decided', session: 'ses_1' })
    let previous = auditRoot
    for (const { seq, at, kind, data, ...line } of lines) {
      expect(line.previous).toBe(previous)
      previous = auditHash({ seq, at, kind, session_id: 'ses_1', data: JSON.stringify(data), previous })
      expect(line.hash).toBe(previous)
    }
  })

  test('of one kind, and from an entry on', async () => {
    const ended = { kind: 'ended' as const, data: {} }
    const directory = await dataWith(...some(4), ended, ...some(2), ended)
    const { out } = await bobbin(directory, 'audit', 'export', '--after', '5', '--kind', 'ended')
    expect(linesOf(out).map(({ seq }) => seq)).toEqual([8])
  })

  test('as CSV has a header even when empty', async () => {
    const empty = await bobbin(await dataWith(), 'audit', 'export', '--format', 'csv')
    expect(empty).toEqual({ code: 0, out: csvHeader, err: '' })
  })
})

describe('CSV', () => {
  const entry = (data: Record<string, Json>): AuditEntry => ({
    seq: 7,
    at: 0,
    kind: 'decided',
    session: undefined,
    data,
    previous: 'a',
    hash: 'b',
  })
  const cellsOf = (data: Record<string, Json>): Record<string, string> => {
    const { data: rows } = Papa.parse<Record<string, string>>(`${csvHeader}${csvLines([entry(data)])}`.trimEnd(), {
      header: true,
    })
    expect(rows).toHaveLength(1)
    return rows[0] as Record<string, string>
  }

  test.each([
    '=1+1',
    '+1',
    '-1+1',
    '@SUM(A1)',
    '\t=1',
    '\r=1',
    '=HYPERLINK("http://x.example")\nand more',
    ' =1+1',
    '\n=1',
    '＝1',
  ])('%j is no formula any more', (reason) => {
    expect(cellsOf({ reason }).reason).toBe(`'${reason}`)
  })

  test.each(['plain', 'a=b', '', '日本', "it's", 'a, "b"\r\nc'])('%j stays as it is', (reason) => {
    expect(cellsOf({ reason })).toMatchObject({ seq: '7', reason, session: '', time: '1970-01-01T00:00:00.000Z' })
  })

  test('the whole entry is in its last columns', () => {
    const data = { status: 'done', attempt: 2, more: { a: ['=x'] } }
    expect(JSON.parse(cellsOf(data).data ?? '')).toEqual(data)
  })
})
