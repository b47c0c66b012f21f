import { expect, onTestFinished, test } from 'vitest'
import { follow } from '../../src/api/follow.ts'
import { systemClock } from '../../src/kit/clock.ts'
import { liveTextsHere } from '../../src/outbound/live-texts.ts'
import { appendEvents } from '../../src/store/events.ts'
import { Store } from '../../src/store/store.ts'
import { postgresDatabase } from '../support/database.ts'
import { ana, newSession } from '../support/store.ts'

test('a reader gets what another process stored, even if the news of it is lost', async () => {
  const url = await postgresDatabase()
  const open = async () => {
    const store = await Store.open(url, systemClock)
    onTestFinished(() => store.close())
    return store
  }
  // Neither listens to the other.
  const [here, elsewhere] = [await open(), await open()]
  const { id } = await newSession(here)
  const say = (store: Store, turn_id: `turn_${string}`) =>
    store.transaction((tx) => appendEvents(tx, id, [{ type: 'stopped', data: { turn_id, person: ana } }]))
  await say(here, 'turn_a')
  const ended = new AbortController()
  onTestFinished(() => ended.abort())
  const events = follow({ store: here, liveTexts: liveTextsHere(systemClock) }, id, 1, ended.signal)
  expect((await events.next()).value).toMatchObject({ data: { turn_id: 'turn_a' } })
  const next = events.next()
  await say(elsewhere, 'turn_b')
  expect((await next).value).toMatchObject({ data: { turn_id: 'turn_b' } })
})
