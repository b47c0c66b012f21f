import { expect, test } from 'vitest'
import { notYetKept } from '../../src/capabilities/mcp/login/kept.ts'
import type { JsonObject } from '../../src/kit/json.ts'
import { never } from './visited.ts'

/** A login that can't be written to the disk the first times. */
function failing(times: number, code: string) {
  const seen: { tries: number; stored?: JsonObject } = { tries: 0 }
  const kept = notYetKept({
    read: async () => undefined,
    alone: (work) => work(),
    async write(value) {
      if (seen.tries++ < times) throw Object.assign(new Error(`${code}: it can’t be written`), { code })
      seen.stored = value
    },
  })
  return { kept, seen }
}

test('a login that was confirmed while the disk was full is kept once there is room', async () => {
  const { kept, seen } = failing(2, 'ENOSPC')
  await kept.write({ tokens: 'hers' })
  await kept.keep(never)
  expect(seen).toEqual({ tries: 3, stored: { tokens: 'hers' } })
})

test('whoever waits for it learns that the disk stays full, and at once of what doesn’t pass', async () => {
  const full = failing(Number.POSITIVE_INFINITY, 'ENOSPC')
  await full.kept.write({ tokens: 'hers' })
  const why = 'The disk that holds Bobbin’s data is full.'
  await expect(full.kept.keep(AbortSignal.abort())).rejects.toMatchObject({ code: 'disk_full', message: why })

  const denied = failing(1, 'EACCES')
  await denied.kept.write({ tokens: 'hers' })
  await expect(denied.kept.keep(never)).rejects.toMatchObject({ code: 'EACCES' })
  expect(denied.seen.tries).toBe(1)
})
