import { assignmentKinds, assignments } from './assignments.ts'
import { commandSecrets } from './commands.ts'
import { headerKind, headers, loginKind, logins, urlKind, urlPasswords } from './context.ts'
import type { FoundSecret, Secrets } from './mask.ts'
import { createOwnFinder, type OwnSecret, ownKind } from './own.ts'
import { prefixed, prefixedKinds } from './prefixed.ts'
import { privateKeyKind, privateKeys } from './private-keys.ts'
import { shaped, shapedKinds } from './shaped.ts'
import { merged, type SecretSpan } from './span.ts'

/*
 * What isn't found: the bot's own values cut into pieces, with anything but line breaks between their characters,
 * spelled out, encoded twice, compressed, encrypted, or in an encoding that own.ts doesn't know; its values under 12
 * characters, or of a few words. Of other people's secrets: those with neither a known form nor a name beside them
 * (such as those below a heading), passwords of plain words or with spaces, passwords outside ASCII, more than 20,000
 * characters of one key, a word-like token glued to other text, and examples from documentation, on purpose.
 */

export interface OwnSecrets extends Secrets {
  /** Where one of the bot's own values may have begun at the end of the text; the length of the text if none has. */
  ownBegun(text: string): number
  /** Looks for more of the bot's own values from now on: of each secret's values, for the latest ones. */
  learn(more: readonly OwnSecret[]): void
}

const kindsByForm = [
  ...prefixedKinds,
  ...shapedKinds,
  privateKeyKind,
  urlKind,
  headerKind,
  loginKind,
  ...assignmentKinds,
]

/** Tokens are replaced again and again, and soon after that the old ones are no longer good. */
const mostOfOne = 4

/** Whether they are values that one secret has had. */
const isSameSecret = (one: OwnSecret, other: OwnSecret): boolean => one.name === other.name && one.whose === other.whose

/** `own`: the bot's tokens and keys, by the names people know them by. In time linear in the text. */
export function createSecrets(own: OwnSecret[]): OwnSecrets {
  let learned: OwnSecret[] = []
  let finder = createOwnFinder(own)
  const masks = new Set([...kindsByForm, ...own.map(ownKind)].map(maskOf))

  const find = (text: string): FoundSecret[] => {
    const places = masksIn(text, masks)
    const found = rounds(text, finder.find(text))
    return places.length === 0 ? found : outside(found, places)
  }

  return {
    find,
    mask: (text) => masked(text, find(text)),
    ownBegun: (text) => finder.begun(text),
    learn(more) {
      const known = [...own, ...learned]
      const fresh = more.filter(
        (secret) => !known.some((one) => one.value === secret.value && isSameSecret(one, secret)),
      )
      if (fresh.length === 0) return
      for (const secret of fresh) {
        masks.add(maskOf(ownKind(secret)))
        const same = learned.filter((one) => isSameSecret(one, secret))
        const old = same.length < mostOfOne ? undefined : same[0]
        learned = [...learned.filter((one) => one !== old), secret]
      }
      finder = createOwnFinder([...own, ...learned])
    },
  }
}

const rules = [prefixed, shaped, privateKeys, urlPasswords, headers, logins, commandSecrets, assignments]
const maxRounds = 4

/** A mask isn't part of a word, so what stands right beside it is checked again as if it began or ended there. */
function rounds(text: string, own: SecretSpan[]): FoundSecret[] {
  const spans = [...own]
  let rest = text
  for (let round = 0; round < maxRounds; round++) {
    const more = rules.flatMap((rule) => rule(rest))
    spans.push(...more)
    if (more.length === 0 && round > 0) break
    const found = merged(spans)
    if (found.length === 0) break
    rest = blanked(text, found)
  }
  return merged(spans)
}

/** As long as the text, so that all offsets stay valid. */
const blanked = (text: string, found: FoundSecret[]): string =>
  replaced(text, found, ({ start, end }) => '\ufffc'.repeat(end - start))

export const maskOf = (kind: string): string => `[secret: ${kind}]`

/** Returns the same text if nothing was found. */
const masked = (text: string, found: FoundSecret[]): string =>
  found.length === 0 ? text : replaced(text, found, ({ kind }) => maskOf(kind))

function replaced(text: string, found: FoundSecret[], by: (secret: FoundSecret) => string): string {
  let at = 0
  const parts = found.map((secret) => {
    const part = text.slice(at, secret.start) + by(secret)
    at = secret.end
    return part
  })
  return parts.join('') + text.slice(at)
}

interface Place {
  start: number
  end: number
}

/** Existing masks are left alone, so that masking twice changes nothing, even if a short value is `token`. */
function masksIn(text: string, masks: Set<string>): Place[] {
  const places: Place[] = []
  for (let start = text.indexOf('[secret: '); start !== -1; start = text.indexOf('[secret: ', start + 1)) {
    const end = text.slice(start, start + 200).indexOf(']') + start + 1
    if (masks.has(text.slice(start, end))) places.push({ start, end })
  }
  return places
}

/** Both in the order of the text. */
function outside(found: FoundSecret[], places: Place[]): FoundSecret[] {
  let next = 0
  return found.filter(({ start, end }) => {
    while ((places[next]?.end ?? Number.POSITIVE_INFINITY) <= start) next++
    const place = places[next]
    return place === undefined || start < place.start || end > place.end
  })
}
