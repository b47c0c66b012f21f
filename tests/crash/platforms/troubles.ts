import { setTimeout as sleep } from 'node:timers/promises'
import { between, chance, pick, randomOf } from '../random.ts'
import type { Account } from './account.ts'
import type { Stage } from './stage.ts'

/** Makes something go wrong now and then until it is stopped. */
export async function trouble(seed: number, stage: Stage, account: Account, ended: AbortSignal): Promise<void> {
  const random = randomOf(seed, 'troubles')
  while (!ended.aborted) {
    await sleep(between(random, 100, 900))
    if (ended.aborted) return
    const of = chance(random, stage.shareOfConnection) ? 'connection' : 'calls'
    const { name, begin } = pick(
      random,
      stage.troubles.filter((one) => one.of === of),
    )
    account.trouble(name)
    await begin(random)
  }
}
