import type { Moment } from '../plan.ts'
import { between, chance, pick, type Random, randomOf } from '../random.ts'

/** Something that happens to one of several processes, to all, or to their database. */
export type NodeTrouble = { afterMs: number } & (
  | { kind: 'kill'; node: number }
  /** SIGKILL this long after an event worth a kill. */
  | { kind: 'moment'; node: number; what: Moment }
  /** SIGKILL of all of them at once. */
  | { kind: 'all'; what: Moment }
  /** SIGKILL of its next life, this long after it was spawned. */
  | { kind: 'starting'; node: number; lifeMs: number }
  /** SIGSTOP; the others take over and work for a while; SIGCONT. `numb`: it rarely looks whether it was replaced. */
  | { kind: 'freeze'; node: number; workMs: number; numb: boolean }
  /** SIGKILL, and it never comes back; another one with a new name does. */
  | { kind: 'lost'; node: number; awayMs: number }
  /** SIGTERM, and it comes back: all of them one after the other. */
  | { kind: 'roll' }
  /** The server is ended in order or as in a crash, or one of its processes is killed. */
  | { kind: 'server'; how: 'SIGINT' | 'SIGQUIT' | 'backend'; downMs: number }
  /** All connections are cut, or some just after a commit. */
  | { kind: 'cut'; times: number; commits: number }
  /** The tables of the engine are emptied, or dropped. */
  | { kind: 'wiped'; times: number }
)

type Kind = NodeTrouble['kind']

/** After the freezes, a short campaign has the first of these. */
const certain: Kind[] = ['moment', 'server', 'lost', 'wiped', 'cut', 'roll', 'all', 'starting']

/** Later ones are drawn from these. */
const drawn: Kind[] = [
  ...(['moment', 'moment', 'moment', 'moment', 'kill', 'kill', 'kill', 'all', 'starting'] as const),
  ...(['freeze', 'freeze', 'lost', 'lost', 'roll', 'server', 'server', 'cut', 'cut', 'wiped'] as const),
]

/** `freezes`: how many come first, with other things between them; later ones are drawn like everything else. */
export function planTroubles(
  seed: number,
  { count, freezes, nodes }: { count: number; freezes: number; nodes: number },
  at: readonly Moment[],
): NodeTrouble[] {
  const random = randomOf(seed, 'nodes')
  const every = freezes * 2 <= count + 1 ? 2 : 1
  return Array.from({ length: count }, (_, place) => {
    const isFreeze = place % every === 0 && place / every < freezes
    const kind = isFreeze
      ? 'freeze'
      : (certain[place - Math.min(freezes, Math.ceil(place / every))] ?? pick(random, drawn))
    const trouble = troubleOf(kind, between(random, 0, nodes - 1), at[place % at.length] ?? 'heard', random)
    // Of those that come first, every other one.
    return trouble.kind === 'freeze' && isFreeze ? { ...trouble, numb: (place / every) % 2 === 1 } : trouble
  })
}

function troubleOf(kind: Kind, node: number, what: Moment, random: Random): NodeTrouble {
  const afterMs = between(random, 20, kind === 'moment' || kind === 'all' ? 60 : 2_000)
  const downMs = between(random, 0, 3_000)
  switch (kind) {
    case 'kill':
      return { kind, node, afterMs }
    case 'moment':
      return { kind, node, what, afterMs }
    case 'all':
      return { kind, what, afterMs }
    case 'starting':
      return { kind, node, lifeMs: between(random, 20, 900), afterMs }
    case 'freeze':
      return { kind, node, workMs: between(random, 300, 1_500), numb: chance(random, 0.5), afterMs }
    case 'lost':
      return { kind, node, awayMs: downMs, afterMs }
    case 'roll':
      return { kind, afterMs }
    case 'server':
      return { kind, how: pick(random, ['SIGINT', 'SIGQUIT', 'backend'] as const), downMs, afterMs }
    case 'cut':
      return { kind, times: between(random, 0, 3), commits: between(random, 20, 40), afterMs }
    case 'wiped':
      return { kind, times: between(random, 1, 4), afterMs }
  }
}
