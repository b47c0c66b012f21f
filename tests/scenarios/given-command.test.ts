import { expect, test } from 'vitest'
import type { Engine } from '../../src/domain/engine.ts'
import { resume } from '../../src/inbound/commands/resume.ts'
import { stop } from '../../src/inbound/commands/stop.ts'
import { runGivenCommand } from '../../src/inbound/run-command.ts'
import { systemClock } from '../../src/kit/clock.ts'
import { Failure } from '../../src/kit/failure.ts'
import { liveTextsHere } from '../../src/outbound/live-texts.ts'
import { insertInbox, unreadInbox } from '../../src/store/inbox.ts'
import type { Session } from '../../src/store/sessions.ts'
import type { Store } from '../../src/store/store.ts'
import { createTurn, openTurn, setTurnState } from '../../src/store/turns.ts'
import { type Command, type CommandDeps, shortId } from '../../src/turn/port/command.ts'
import { ana, newSession, openStore } from '../support/store.ts'

/** A turn that a message has opened, and that nobody runs. */
function open(store: Store, session: Session, dedupKey: string) {
  return store.transaction(async (tx) => {
    const payload = { person: ana, text: 'talk', files: [] }
    const seq = await insertInbox(tx, session.id, { dedupKey, kind: 'message', payload, eventId: 1, state: 'taken' })
    return createTurn(tx, session.id, seq, { person: ana, timeZone: 'UTC' })
  })
}

/** Runs nothing, and keeps which sessions it was to wake or interrupt. */
function idleEngine() {
  const woken: string[] = []
  const interrupted: string[] = []
  const engine: Engine = {
    leaving: new AbortController().signal,
    start: async () => {},
    wake: (id) => void woken.push(id),
    interrupt: (id) => void interrupted.push(id),
    stop: async () => {},
    close: async () => {},
  }
  return { engine, woken, interrupted }
}

/** A thread in which people press Stop. */
async function openStopping() {
  const store = await openStore()
  const session = await newSession(store)
  const { engine, interrupted } = idleEngine()
  store.whenWoken((id, interrupts) => interrupts && engine.interrupt(id))
  // A stop looks at nothing else.
  const deps = { store, engine, liveTexts: liveTextsHere(systemClock) } as CommandDeps
  const press = (dedupKey: string, turn?: string) => {
    const given = { dedupKey, person: ana, project: session.thread, session, turn }
    return runGivenCommand({ command: stop, argument: '' }, given, deps)
  }
  return { store, session, interrupted, press }
}

test('a button that is delivered again does not touch what runs by then', async () => {
  const { store, session, interrupted, press } = await openStopping()
  await open(store, session, 'first')
  expect(await press('click-1')).toBe('Stopped.')
  expect(interrupted).toEqual([session.id])
  const next = await open(store, session, 'second')
  expect(await press('click-1')).toBe('That’s already done.')
  expect(interrupted).toEqual([session.id])
  expect((await openTurn(store.db, session.id))?.id).toBe(next.id)
})

test('the button of a turn that is over stops no other one, and puts no message aside', async () => {
  const { store, session, interrupted, press } = await openStopping()
  const first = await open(store, session, 'first')
  await store.transaction((tx) => setTurnState(tx, first.id, 'done'))
  expect(await press('click-1', first.id)).toBe('That was already over.')
  await store.transaction(async (tx) => {
    const payload = { person: ana, text: 'my own request', files: [] }
    await insertInbox(tx, session.id, { dedupKey: 'unread', kind: 'message', payload, eventId: 1 })
  })
  expect(await press('click-2', first.id)).toBe('That was already over.')
  const next = await open(store, session, 'second')
  expect(await press('click-3', first.id)).toBe('That was already over.')
  expect(interrupted).toEqual([])
  expect(await unreadInbox(store.db, session.id)).toHaveLength(1)

  expect(await press('click-4', next.id)).toBe('Stopped.')
  expect(interrupted).toEqual([session.id])
})

test('a failure becomes the answer of a command outside a thread too, unless it needs one', async () => {
  const refuse = () => Promise.reject(new Failure('no_skill', 'No such skill.', 'Name another one.'))
  const given = { dedupKey: 'slash-1', person: ana, project: { platform: 'slack', tenant: 'T1', project: 'C1' } }
  const run = (about: Command['about']) => {
    const command: Command = { name: 'refuse', summary: '', about, run: refuse }
    return runGivenCommand({ command, argument: '' }, { ...given, session: undefined }, {} as CommandDeps)
  }
  expect(await run('channel')).toBe('No such skill. Name another one.')
  expect(await run('thread')).toContain('thread')
})

test('resume with an id works outside a thread too, once, and in its channel only', async () => {
  const store = await openStore()
  const session = await newSession(store)
  await open(store, session, 'first')
  const { engine, woken } = idleEngine()
  const platforms: CommandDeps['platforms'] = new Map()
  const deps = { store, engine, platforms } as CommandDeps
  const say = (argument: string, project = session.thread) => {
    const given = { dedupKey: `slash:${argument}`, person: ana, project, session: undefined }
    return runGivenCommand({ command: resume, argument }, given, deps)
  }
  expect(await say('')).toContain('`resume <id>`')
  expect(await say(shortId(session), { ...session.thread, project: 'other' })).toContain('No thread in this channel')
  expect(woken).toEqual([])
  expect(await say(shortId(session))).toMatch(/: Continuing\.$/)
  expect(woken).toContain(session.id)
  expect(await say(shortId(session))).toBe('That’s already done.')
})
