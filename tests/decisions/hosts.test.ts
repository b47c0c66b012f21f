import { describe, expect, test } from 'vitest'
import { importsOf } from '../../src/capabilities/commands/run/imports.ts'
import { soughtIn } from '../../src/capabilities/documents/search/line-fit.ts'
import { webFetch } from '../../src/capabilities/web/web-fetch.ts'
import { fencedBlock } from '../../src/export/fence.ts'
import { namesOfHost, plainHost } from '../../src/kit/net/host.ts'
import { planOf } from '../../src/kit/shell/plan.ts'
import { ownCheck } from '../../src/trust/own-check.ts'
import type { Subject } from '../../src/trust/subject.ts'
import { rulesWith } from '../support/rules.ts'

const rules = rulesWith()

/** By what the shipped rules decide on it, if by any. */
function judged(hosts: string[]): string | undefined {
  const inspection = { subjects: [], wider: [], unclear: [], hosts }
  return ownCheck(rules, { effect: 'external', inspection } as unknown as Subject)?.action
}

const internal = [
  'localhost',
  'localhost.',
  'LocalHost..',
  'x.internal',
  'x.internal.',
  'X.INTERNAL...',
  'x。internal',
  'x.internal。',
  'x%2Einternal',
  'ｘ．internal．',
  'printer.lan.',
  'nas.home.arpa',
  'x.localdomain.',
  'x.private',
  'intranet.',
  '127.0.0.1',
  '127.0.0.1.',
  '127.0.0.1..',
  '127.1',
  '0x7f.1',
  '2130706433',
  '0177.0.0.1',
  '[::1]',
  '[::ffff:10.0.0.1]',
  '169.254.169.254.',
]

describe('a host is the same, however it is written', () => {
  test.each(internal)('the rules treat %s as internal, in a URL and in a command', (host) => {
    expect(judged([host])).toBe('deny')
    const asked = { url: `http://${host}/a`, as: 'file' } as never
    const inspected = webFetch.kind === 'run' ? webFetch.inspect?.(asked) : undefined
    expect(judged(inspected?.hosts ?? [])).toBe('deny')
    expect(judged(planOf(`curl 'http://${host}/a'`).hosts)).toBe('deny')
  })

  test.each([
    ['Example.ORG.', 'example.org'],
    ['münchen.example', 'xn--mnchen-3ya.example'],
    ['93.184.215.14.', '93.184.215.14'],
    ['[2606:2800:21F::1]', '2606:2800:21f::1'],
    ['*.Example.org.', '*.example.org'],
    ['a b', 'a b'],
    ['', ''],
    ['.', ''],
  ])('%j is %j', (host, plain) => {
    expect(plainHost(host)).toBe(plain)
    expect(plainHost(plain)).toBe(plain)
    expect(namesOfHost(host)).toEqual([plain])
  })
})

test('a text that repeats one sign is read in one pass, whatever it is read for', () => {
  const run = (one: string, times = 300_000) => one.repeat(times)
  // No command is longer.
  const most = 32_000
  expect(plainHost(`x${run('.')}y`)).toHaveLength(300_002)
  expect(planOf(`curl '${run(':', most)}z'`).hosts).toEqual([])
  expect(planOf(`sqlite3 a.db '${run('\n', most)}select 1'`).unclear).toEqual([])
  expect(importsOf('a.mjs', `require${run(' ')}x`).alongside).toEqual([])
  const modules = (text: string) => importsOf('a.py', text).alongside
  expect(modules(`from ${run('a')}.b import c\nfrom d.e import f`)).toMatchObject([{}, { module: 'd.py' }])
  expect(modules(`from ${run('a')}!`)).toEqual([])
  expect(fencedBlock(`${run('\n')}\`\`\`\`${run('\r')}x`).startsWith('`````\n')).toBe(true)
  expect(soughtIn(`a${run('.')}b..`).words[0]?.word).toHaveLength(300_002)
})
