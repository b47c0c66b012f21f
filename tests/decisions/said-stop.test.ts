import { expect, test } from 'vitest'
import { decide } from '../../src/capabilities/spending/limits.ts'

test.each([
  ['before it was used up', 0.6, true],
  ['when others have used it up meanwhile', 1.2, false],
])('a budget at whose soft limit somebody said stop, %s', (_, spent, bySaying) => {
  const limit = { per: 'channel', usd: 1, soft: 0.5 } as const
  expect(decide([{ limit, spent: spent * 1e9, reserved: 0, asked: 'stop' }])).toEqual({ do: 'stop', limit, bySaying })
})
