import { describe, expect, test } from 'vitest'
import type { Config } from '../../src/config/config.ts'
import type { Decider } from '../../src/trust/rules.ts'
import { asked } from '../scenarios/trust.ts'
import { calls, says } from '../support/model-server.ts'
import { withoutSandbox } from '../support/sandbox.ts'
import type { Ids, OpenDriver, Seen } from './driver.ts'

const answered = (text: string) => (seen: Seen) => seen.posts.some((post) => post.text === text)
const waiting = (seen: Seen) => seen.cards.some(({ outcome }) => outcome === undefined)

const write = calls('write_file', { path: 'outputs/a.txt', content: 'made' })

/** The shipped rules, where these people approve writing files. */
const rules =
  (team: (ids: Ids) => Partial<Decider>) =>
  (ids: Ids): Config['rules'] =>
    asked(team(ids))

const users = (names: string[], more: Partial<Decider> = {}) =>
  rules(({ person }) => ({ who: names.map((name) => `user:${person(name)}`), ...more }))

/** Who decides, how often, and for what: the same on every platform. */
export function approvalsSuite(name: string, open: OpenDriver): void {
  describe(`${name} lets only the right people decide`, () => {
    test('others are told so privately, and nothing changes', async () => {
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

    test('the requester may not decide if the rules say so', async () => {
      const bot = await open([write, says('Done.')], { rules: users(['ana', 'ben'], { asker: false }) })
      const thread = await bot.mention('ana', 'write it')
      await thread.until(waiting)
      expect(await thread.click('ana', 'Approve')).toBe('not-allowed')
      expect((await thread.told('ana')).join()).toContain('The person who asked')
      expect(await thread.click('ben', 'Deny')).toBe('taken')
      await thread.until(answered('Done.'))
      // Until the name is known, the id is shown.
      expect(bot.modelHeard()).toMatch(new RegExp(`Cancelled: (ben|${bot.chat?.idOf('ben')}) denied this\\.`, 'i'))
    })

    test('two approvals are needed, also across a restart, and each person counts once', async () => {
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

    test('an approval and a denial at the same instant make one decision', async () => {
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

    test('the model reads what to do instead as a correction', async () => {
      const bot = await open([write, says('Done.')], { rules: users(['ben']) })
      const thread = await bot.mention('ana', 'write it')
      await thread.until(waiting)
      const words = { reason: 'it is taken', instead: 'write b.txt' }
      expect(await thread.denyWith({ person: 'cleo' }, words)).toBe('not-allowed')
      expect(await thread.denyWith({ person: 'ben' }, words)).toBe('taken')
      await thread.until(answered('Done.'))
      expect(bot.modelHeard()).toMatch(/Corrected: ben said no \(it is taken\)\. Do this instead: write b\.txt/i)
    })

    test('“always” allows the same call and no other', async () => {
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

    test.skipIf(withoutSandbox)(
      '“always” can cover everything in the closed sandbox, and a rule still asks',
      async () => {
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
      },
    )

    test('the group’s members at the time of the click decide', async () => {
      const team = rules(({ group }) => ({ who: [`group:${group('approvers')}`] }))
      const bot = await open([write, says('Done.')], { rules: team })
      const hasGroups = await bot.setGroup('approvers', ['ben', 'cleo'])
      const thread = await bot.mention('ana', 'write it')
      await thread.until(waiting)
      expect(await thread.click('ana', 'Approve')).toBe('not-allowed')
      await bot.setGroup('approvers', ['cleo'])
      expect(await thread.click('ben', 'Approve')).toBe('not-allowed')
      // The console has no groups.
      expect(await thread.click('cleo', 'Approve')).toBe(hasGroups ? 'taken' : 'not-allowed')
      if (hasGroups) await thread.until(answered('Done.'))
    })
  })
}
