import { setTimeout as sleep } from 'node:timers/promises'
import type { DiscordServer, Fault, RequestMatch } from '../../support/discord/server.ts'
import { between, pick, type Random } from '../random.ts'
import type { Trouble } from './stage.ts'

const writes: RequestMatch[] = [
  { method: 'POST', path: /^\/channels\/\d+\/messages$/ },
  { method: 'POST', path: /^\/channels\/\d+\/messages$/ },
  { method: 'PATCH', path: /^\/channels\/\d+\/messages\/\d+$/ },
  { method: 'POST', path: /\/threads$/ },
]
const others: RequestMatch[] = [
  { method: 'GET', path: /^\/channels\/\d+\/messages/ },
  { method: 'GET', path: /^\/channels\/\d+$/ },
  { method: 'POST', path: /\/callback$/ },
  { method: 'POST', path: /^\/webhooks\// },
  { method: 'GET', path: '/gateway/bot' },
  { method: 'PUT', path: '/commands' },
]
const all = [...writes, ...others]

/** A call that is under way when its process dies arrives before the next process can ask for it, ms. */
const mostSlowMs = 700

/** A planned problem that hasn't happened within this time is dropped: a file would meet all of them at once, ms. */
const soonMs = 6_000

/** `cures` ends the problems that don't end by themselves. */
export function discordTroubles({ misbehave }: DiscordServer, cures: Set<Promise<void>>): Trouble[] {
  const later = (ms: number, cure: () => void) => {
    const cured = sleep(ms).then(cure)
    cures.add(cured)
    void cured.then(() => cures.delete(cured))
  }
  const failing = (name: string, of: RequestMatch[], fault: (random: Random) => Fault): Trouble => ({
    name,
    of: 'calls',
    begin: (random) => misbehave.fail(pick(random, of), fault(random), between(random, 1, 2), soonMs),
  })
  return [
    failing('limited', all, (random) => ({
      kind: 'rate-limited',
      retryAfterMs: between(random, 200, 1_500),
      scope: pick(random, ['user', 'global', 'shared', 'cloudflare'] as const),
    })),
    failing('broken', all, (random) => ({ kind: 'status', status: pick(random, [500, 502, 503]) })),
    failing('dropped', all, () => ({ kind: 'reset' })),
    failing('slow', all, (random) => ({ kind: 'slow', ms: between(random, 100, mostSlowMs) })),
    failing('stored though failed', writes, (random) =>
      pick<Fault>(random, [
        { kind: 'reset', stored: true },
        { kind: 'reset', stored: true },
        { kind: 'status', status: 500, stored: true },
        { kind: 'status', status: 502, stored: true },
        { kind: 'hang', stored: true },
      ]),
    ),
    failing('download failed', [{ method: 'GET', path: /attachments/ }], () => ({ kind: 'status', status: 503 })),
    { name: 'gateway broken', of: 'connection', begin: () => misbehave.disconnect(1006) },
    { name: 'gateway asks to reconnect', of: 'connection', begin: () => misbehave.reconnect() },
    { name: 'session resumable', of: 'connection', begin: () => misbehave.invalidate(true) },
    { name: 'session ended', of: 'connection', begin: () => misbehave.invalidate(false) },
    {
      name: 'not resumed',
      of: 'connection',
      begin: (random) => {
        misbehave.resume(pick(random, ['refuse', 'again'] as const))
        misbehave.disconnect(pick(random, [1006, 4000]))
        later(2_000, () => misbehave.resume('replay'))
      },
    },
    {
      name: 'resumed with a loss',
      of: 'connection',
      begin: (random) => {
        misbehave.resume('lose')
        misbehave.disconnect(1006)
        later(between(random, 300, 1_500), () => {
          misbehave.resume('replay')
          misbehave.invalidate(false)
        })
      },
    },
    {
      name: 'untold',
      of: 'connection',
      begin: (random) => {
        misbehave.drop(true)
        later(between(random, 200, 1_500), () => {
          misbehave.drop(false)
          misbehave.invalidate(false)
        })
      },
    },
    {
      name: 'deaf',
      of: 'connection',
      begin: (random) => {
        misbehave.deafen({ acknowledges: random() < 0.5 })
        later(between(random, 300, 2_000), () => misbehave.disconnect(1006))
      },
    },
    {
      name: 'outage',
      of: 'connection',
      begin: (random) => {
        misbehave.outage(true)
        later(between(random, 100, 800), () => misbehave.outage(false))
      },
    },
  ]
}
