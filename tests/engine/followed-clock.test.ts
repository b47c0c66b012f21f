import { expect, test } from 'vitest'
import { FollowedClock } from '../../src/kit/followed-clock.ts'

/** A clock that follows another one, which was at 1,000,000 when its own count was at 0. */
async function following() {
  let counted = 0
  const clock = new FollowedClock(() => counted)
  const answers = (at: number, wayMs: number) =>
    clock.follow(async () => {
      counted += wayMs
      return at
    })
  await answers(1_000_000, 0)
  return { clock, answers }
}

test('an answer counts for the middle of its way', async () => {
  const { clock, answers } = await following()
  await answers(1_000_500, 800)
  expect(clock.now()).toBe(1_000_900)
})

test.each(['sent early', 'sent late'])(
  'an answer with a long way changes nothing if that explains it: %s',
  async (when) => {
    const { clock, answers } = await following()
    await answers(when === 'sent early' ? 1_000_000 : 1_004_000, 4_000)
    expect(clock.now()).toBe(1_004_000)
  },
)

test('after a suspended machine, for which its count stood still, such an answer is used too', async () => {
  const { clock, answers } = await following()
  await answers(4_600_000, 4_000)
  expect(clock.now()).toBe(4_602_000)
})
