import { describe, expect, test } from 'vitest'
import type { Config } from '../../src/config/config.ts'
import type { Decider } from '../../src/trust/rules.ts'
import { asked } from '../scenarios/trust.ts'
import { calls, says } from '../support/model-server.ts'
import type { Ids, OpenDriver, Seen } from './driver.ts'

const answered = (text: string) => (seen: Seen) => seen.posts.some((post) => post.text === text)
const waiting = (seen: Seen) => seen.cards.some(({ outcome }) => outcome === undefined)

const write = calls('write_file', { path: 'outputs/a.txt', content: 'made' })

/** The shipped rules, with writing a file asked of these. */
const rules =
  (team: (ids: Ids) => Partial<Decider>) =>
  (ids: Ids): Config['rules'] =>
    asked(team(ids))

const users = (names: string[], more: Partial<Decider> = {}) =>
  rules(({ person }) => ({ who: names.map((name) => `user:${person(name)}`), ...more }))

/** Who decides, once and for what: the same everywhere. */
export function approvalsSuite(name: string, open: OpenDriver): void {
  describe(`${name} lets those decide who may`, () => {
    test('somebody else is told so, alone, and nothing changes', async () => {
      const bot = await open([write, says('Done.')], { rules: users(['ben']) })
      const thread = await bot.mention('ana', 'write it')
      await thread.until(waiting)
      expect(await thread.click('cleo', 'Approve')).toBe('not-allowed')
      expect(await thread.click('cleo', 'Deny')).toBe('not-allowed')
      expect((await thread.told('cleo')).join()).toContain('can decide this')
      expect(await thread.told('ben')).toEqual([])
      expect(waiting(await thread.see())).toBe(true)
      expect(await thread.click('ben', 'Approve')).toBe('taken')
      await thread.until(answered('Done.'))
      expect(await thread.download('outputs/a.txt')).toBe('made')
    })

    test('whoever asked may not where the rules say so', async () => {
      const bot = await open([write, says('Done.')], { rules: users(['ana', 'ben'], { asker: false }) })
      const thread = await bot.mention('ana', 'write it')
      await thread.until(waiting)
      expect(await thread.click('ana', 'Approve')).toBe('not-allowed')
      expect((await thread.told('ana')).join()).toContain('The person who asked')
      expect(await thread.click('ben', 'Deny')).toBe('taken')
      await thread.until(answered('Done.'))
      // A name that comes late is told as its id.
      expect(bot.modelHeard()).toMatch(new RegExp(`Cancelled: (ben|${bot.chat?.idOf('ben')}) denied this\\.`, 'i'))
    })

    test('two are needed, over a restart, and one person is one', async () => {
      const bot = await open([write, says('Done.')], { rules: users(['ben', 'cleo'], { needed: 2 }) })
      const thread = await bot.mention('ana', 'write it')
      await thread.until(waiting)
      expect(await thread.click('ben', 'Approve')).toBe('voted')
      expect(await thread.click('ben', 'Approve')).toBe('voted')
      await bot.restart()
      expect(await thread.click('ben', 'Approve')).toBe('voted')
      expect(bot.modelCalls()).toBe(1)
      expect(await thread.click('cleo', 'Approve')).toBe('taken')
      await thread.until(answered('Done.'))
      expect(await thread.download('outputs/a.txt')).toBe('made')
      expect(await thread.click('cleo', 'Approve')).toBe('too-late')
    })

    test('one who approves and one who denies at the same instant are one decision', async () => {
      const bot = await open([write, says('Done.')], { rules: users(['ben', 'cleo']) })
      const thread = await bot.mention('ana', 'write it')
      await thread.until(waiting)
      const clicks = await Promise.all([thread.click('ben', 'Approve'), thread.click('cleo', 'Deny')])
      expect(clicks.toSorted()).toEqual(['taken', 'too-late'])
      const { cards } = await thread.until(answered('Done.'))
      expect(cards).toHaveLength(1)
      expect(cards[0]?.outcome).toMatch(clicks[0] === 'taken' ? /ben/i : /cleo/i)
      expect(bot.modelCalls()).toBe(2)
    })

    test('what to do instead is told to the model as a correction', async () => {
      const bot = await open([write, says('Done.')], { rules: users(['ben']) })
      const thread = await bot.mention('ana', 'write it')
      await thread.until(waiting)
      const words = { reason: 'it is taken', instead: 'write b.txt' }
      expect(await thread.denyWith({ person: 'cleo' }, words)).toBe('not-allowed')
      expect(await thread.denyWith({ person: 'ben' }, words)).toBe('taken')
      await thread.until(answered('Done.'))
      expect(bot.modelHeard()).toMatch(/Corrected: ben said no \(it is taken\)\. Do this instead: write b\.txt/i)
    })

    test('“always” lets the same call through, and another not', async () => {
      const other = calls('write_file', { path: 'outputs/b.txt', content: 'made' })
      const bot = await open([write, write, other, says('Done.')], { rules: users(['ben']) })
      const thread = await bot.mention('ana', 'write it')
      await thread.until(waiting)
      const choice = { pattern: 'exact', scope: 'thread', forMs: 3_600_000 } as const
      expect(await thread.always({ person: 'cleo' }, choice)).toBe('not-allowed')
      expect(await thread.always({ person: 'ben' }, choice)).toBe('taken')
      const { cards } = await thread.until((seen) => seen.cards.length > 1)
      expect(cards).toHaveLength(2)
      expect(bot.modelCalls()).toBe(3)
      expect(await thread.click('ben', 'Deny')).toBe('taken')
      await thread.until(answered('Done.'))
    })

    test('one “always” is for whatever runs in the closed sandbox, and a rule still asks', async () => {
      const python = calls('run_script', { language: 'python', code: 'print(1)' })
      const unknown = calls('run_command', { command: 'echo "$X" | sh' })
      const removes = calls('run_command', { command: 'rm -rf temp/x' })
      const bot = await open([python, python, unknown, removes, says('Done.')], { rules: users(['ben']) })
      const thread = await bot.mention('ana', '@run_command @run_script look')
      await thread.until(waiting)
      const choice = { pattern: 'wide', scope: 'thread', forMs: 3_600_000 } as const
      expect(await thread.always({ person: 'ben' }, choice)).toBe('taken')
      const { cards } = await thread.until((seen) => seen.cards.length > 1)
      expect(cards).toHaveLength(2)
      expect(bot.modelCalls()).toBe(4)
      expect(cards[0]?.outcome).toContain('anything in the closed sandbox')
      expect(await thread.click('ben', 'Deny')).toBe('taken')
      await thread.until(answered('Done.'))
    })

    test('a group decides as it is when somebody clicks', async () => {
      const team = rules(({ group }) => ({ who: [`group:${group('approvers')}`] }))
      const bot = await open([write, says('Done.')], { rules: team })
      const hasGroups = await bot.setGroup('approvers', ['ben', 'cleo'])
      const thread = await bot.mention('ana', 'write it')
      await thread.until(waiting)
      expect(await thread.click('ana', 'Approve')).toBe('not-allowed')
      await bot.setGroup('approvers', ['cleo'])
      expect(await thread.click('ben', 'Approve')).toBe('not-allowed')
      // Where there are no groups nobody is in one.
      expect(await thread.click('cleo', 'Approve')).toBe(hasGroups ? 'taken' : 'not-allowed')
      if (hasGroups) await thread.until(answered('Done.'))
    })
  })
}
