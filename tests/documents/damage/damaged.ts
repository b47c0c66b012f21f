import { type Random, randomFrom } from '../../../bench/search/random.ts'
import type { NamedFile } from './samples.ts'

/** What happens to files on their way: every one of these from one sound file. `steps` truncations, and as many flips. */
export function* damaged(file: NamedFile, steps: number, seed: number): Generator<NamedFile> {
  const { name, bytes } = file
  const random = randomFrom(seed)
  const as = (what: string, changed: Uint8Array): NamedFile => ({ name: `${what}-${name}`, bytes: changed })
  for (let step = 0; step < steps; step++) {
    yield as(`cut-at-${step}`, bytes.slice(0, Math.floor((bytes.length * step) / steps)))
  }
  for (let step = 0; step < steps; step++) yield as(`flipped-${step}`, flipped(bytes, 1 + random.below(20), random))
  for (let step = 0; step < Math.ceil(steps / 10); step++) {
    const from = random.below(bytes.length)
    const length = Math.min(random.below(200), bytes.length - from)
    const blank = Uint8Array.from(bytes)
    blank.fill(0, from, from + length)
    yield as(`blanked-${step}`, blank)
    yield as(`shortened-${step}`, Buffer.concat([bytes.subarray(0, from), bytes.subarray(from + length)]))
    yield as(`doubled-${step}`, Buffer.concat([bytes.subarray(0, from + length), bytes.subarray(from)]))
  }
  yield as('with-junk-behind', Buffer.concat([bytes, Buffer.alloc(5_000, 'junk')]))
  yield as('with-junk-in-front', Buffer.concat([Buffer.alloc(500, 'junk '), bytes]))
  yield as('in-text-mode', Buffer.from(Buffer.from(bytes).toString('latin1').replaceAll('\n', '\r\n'), 'latin1'))
  yield as('as-utf8', Buffer.from(Buffer.from(bytes).toString('utf8')))
  for (const extension of ['pdf', 'docx', 'xlsx', 'pptx', 'csv', 'eml', 'zip', 'png', 'doc', 'odt']) {
    yield { name: `called.${extension}`, bytes }
  }
}

function flipped(bytes: Uint8Array, count: number, random: Random): Uint8Array {
  // A Buffer's slice would change the original.
  const changed = Uint8Array.from(bytes)
  for (let flip = 0; flip < count; flip++) {
    const at = random.below(changed.length)
    changed[at] = (changed[at] ?? 0) ^ (1 << random.below(8))
  }
  return changed
}
