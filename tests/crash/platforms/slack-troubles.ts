import { setTimeout as sleep } from 'node:timers/promises'
import type { SlackServer } from '../../support/slack/server.ts'
import { between, pick, type Random } from '../random.ts'
import type { Trouble } from './stage.ts'

const writes = [
  'chat.postMessage',
  'chat.postMessage',
  'chat.update',
  'chat.startStream',
  'chat.appendStream',
  'chat.stopStream',
  'files.completeUploadExternal',
]
const reads = ['conversations.history', 'conversations.replies', 'users.conversations', 'users.info', 'files.info']
const others = ['files.getUploadURLExternal', 'agents.sessions.setStatus', 'views.open', 'apps.connections.open']
const all = [...writes, ...reads, ...others]

/** Slack itself says of these that a part may have happened. */
const unclear = ['internal_error', 'fatal_error', 'service_unavailable', 'request_timeout']

/** A call that is under way when its process dies arrives before the next process can ask for it, ms. */
const mostSlowMs = 700

/** A planned problem that hasn't happened within this time is dropped, ms. */
const soonMs = 6_000

const few = (random: Random) => ({ times: between(random, 1, 2), forMs: soonMs })
const once = { times: 1, forMs: soonMs }

/** `cures` ends the problems that don't end by themselves. */
export function slackTroubles({ misbehave }: SlackServer, cures: Set<Promise<void>>): Trouble[] {
  const later = (ms: number, cure: () => void) => {
    const cured = sleep(ms).then(cure)
    cures.add(cured)
    void cured.then(() => cures.delete(cured))
  }
  return [
    {
      name: 'limited',
      of: 'calls',
      begin: (random) => misbehave.rateLimit(pick(random, all), { retryAfter: 1, ...few(random) }),
    },
    {
      name: 'refused',
      of: 'calls',
      begin: (random) => misbehave.refuse(pick(random, writes), pick(random, unclear), once),
    },
    {
      name: 'broken',
      of: 'calls',
      begin: (random) => misbehave.break(pick(random, all), { status: pick(random, [500, 503]), ...few(random) }),
    },
    {
      name: 'stored though failed',
      of: 'calls',
      begin: (random) => {
        for (let count = 0; count < 2; count++) {
          const how = pick(random, ['reset', 'reset', '500', '500', 'silence'] as const)
          misbehave.storeButFail(pick(random, writes), how, once)
        }
      },
    },
    {
      name: 'dropped',
      of: 'calls',
      begin: (random) => misbehave.drop(pick(random, all), pick(random, ['reset', 'reset', 'silence'] as const), once),
    },
    {
      name: 'slow',
      of: 'calls',
      begin: (random) => misbehave.slow(pick(random, all), between(random, 100, mostSlowMs), few(random)),
    },
    {
      name: 'upload failed',
      of: 'calls',
      begin: (random) => {
        const reset = { kind: 'reset', stored: false } as const
        const status = { kind: 'status', status: 503, stored: false } as const
        misbehave.on('upload', pick(random, [reset, status]), once)
      },
    },
    { name: 'download failed', of: 'calls', begin: () => misbehave.files('server-error', { times: 1 }) },
    { name: 'acks lost', of: 'connection', begin: (random) => misbehave.loseAcks(between(random, 1, 3)) },
    { name: 'broken before the ack', of: 'connection', begin: () => misbehave.dropBeforeAcks(1) },
    { name: 'socket broken', of: 'connection', begin: () => misbehave.breakSockets() },
    {
      name: 'socket refreshed',
      of: 'connection',
      begin: (random) =>
        misbehave.refreshSockets({ warnMs: between(random, 0, 300), closeMs: between(random, 100, 1_500) }),
    },
    {
      name: 'deaf',
      of: 'connection',
      begin: (random) => {
        misbehave.deafen()
        later(between(random, 300, 2_000), () => misbehave.refreshSockets({ closeMs: 200 }))
      },
    },
    {
      name: 'dead',
      of: 'connection',
      begin: (random) => {
        misbehave.deafen({ pings: false })
        later(between(random, 300, 2_000), () => misbehave.breakSockets())
      },
    },
    { name: 'streams closed', of: 'calls', begin: () => misbehave.closeStreams() },
  ]
}
