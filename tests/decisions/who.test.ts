import { describe, expect, test } from 'vitest'
import type { Session } from '../../src/store/sessions.ts'
import { deciderNamed, describeDecider } from '../../src/trust/deciders.ts'
import type { Decider } from '../../src/trust/rules.ts'
import { type Actor, type Around, isNamed, whyNot } from '../../src/trust/who.ts'
import { rulesWith } from '../support/rules.ts'

const person = (id: string) => ({ id, name: id })
const at = (id: string, operator = false): Actor => ({ person: person(id), operator })

/** ana began the turn, ben wrote in it, eve answered a question of it, cleo wrote before. */
const around: Around = {
  // Handed on to the platform, and to nobody else.
  session: {} as Session,
  asker: person('ana'),
  writers: [person('ana'), person('ben')],
  answerers: [person('eve')],
  participants: [person('ana'), person('ben'), person('cleo')],
}

const groups: Record<string, string[]> = { admins: ['ben', 'dora'] }
const isMember = async (_: Session, { id }: { id: string }, group: string) => groups[group]?.includes(id) === true
const unknown = async (): Promise<boolean> => {
  throw new Error('the platform does not answer')
}

const may = async (decider: Partial<Decider>, actor: Actor): Promise<boolean> =>
  (await whyNot({ who: ['anyone'], asker: true, needed: 1, ...decider }, actor, around, isMember)) === undefined

describe('who may', () => {
  test.each<[string[], Actor, boolean]>([
    [['anyone'], at('zoe'), true],
    [['asker'], at('ana'), true],
    [['asker'], at('ben'), false],
    [['participants'], at('cleo'), true],
    [['participants'], at('zoe'), false],
    [['operator'], at('ana'), false],
    [['operator'], at('operator', true), true],
    [['operator'], at('operator'), false],
    [['user:zoe'], at('zoe'), true],
    [['user:zoe'], at('zoe2'), false],
    [['user:zo'], at('zoe'), false],
    [['group:admins'], at('dora'), true],
    [['group:admins'], at('ana'), false],
    [['group:none'], at('dora'), false],
    [['group:admins'], at('operator', true), false],
    [['asker', 'group:admins'], at('dora'), true],
  ])('%j: %j is %s', async (who, actor, expected) => {
    expect(await may({ who }, actor)).toBe(expected)
  })

  test('where the asker is excluded, so is everybody who wrote in the turn', async () => {
    for (const who of [['anyone'], ['asker'], ['participants'], ['user:ana', 'user:ben'], ['group:admins']]) {
      expect(await may({ who, asker: false }, at('ana'))).toBe(false)
      expect(await may({ who, asker: false }, at('ben'))).toBe(false)
    }
    // Who was asked something by the bot has not asked for anything.
    expect(await may({ who: ['anyone'], asker: false }, at('eve'))).toBe(true)
    expect(await may({ who: ['participants'], asker: false }, at('cleo'))).toBe(true)
    expect(await may({ who: ['operator'], asker: false }, at('ana', true))).toBe(false)
  })

  test('the platform is asked only when nothing else names them, and its failure is not a yes', async () => {
    expect(await isNamed(['group:admins', 'asker'], at('ana'), around, unknown)).toBe(true)
    await expect(isNamed(['group:admins'], at('dora'), around, unknown)).rejects.toThrow('does not answer')
  })

  test('a refusal says who may', async () => {
    const why = (decider: Decider, id: string) => whyNot(decider, at(id), around, isMember)
    expect(await why({ who: ['operator', 'group:admins'], asker: true, needed: 1 }, 'zoe')).toBe(
      'Only the operator or group admins can decide this.',
    )
    expect(await why({ who: ['anyone'], asker: false, needed: 1 }, 'ben')).toBe(
      'The person who asked for this can’t decide it.',
    )
  })
})

test('a missing decider means the operator, even with a name like a property of every object', () => {
  const rules = rulesWith()
  for (const name of ['gone', 'constructor', '__proto__', 'toString'])
    expect(deciderNamed(rules, name)).toEqual({ who: ['operator'], asker: true, needed: 1 })
  expect(deciderNamed(rules, 'team').who).toContain('participants')
})

test('says in words who decides', () => {
  const words = (decider: Partial<Decider>) => describeDecider({ who: ['asker'], asker: true, needed: 1, ...decider })
  expect(words({})).toBe('whoever asked')
  expect(words({ who: ['participants', 'user:U1', 'operator'] })).toBe(
    'the people in this thread, user U1, or the operator',
  )
  expect(words({ who: ['group:S1'], needed: 2, asker: false })).toBe('2 of group S1, but not the person who asked')
})
