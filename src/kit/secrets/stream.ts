import type { StreamMask } from './mask.ts'
import { maxPrivateKey, privateKeyBegun } from './private-keys.ts'
import { maskOf, type OwnSecrets } from './secrets.ts'
import { maxSecret } from './span.ts'

/** What was said before decides what a value is: `password=` and the value may come in two chunks. In UTF-16 units. */
const contextLength = 1024
/** So much of a word without any space is held back. */
const maxHeld = maxSecret + contextLength
/** More than that is never held: what is found by then is masked, and its rest dropped. */
const maxOpen = 2 * maxPrivateKey + maxHeld

/**
 * Masks a text that comes in chunks. Only the last word is held back, since no secret by form has a space in it, but for
 * private keys and the bot's own values: those are held back from where they may have begun.
 */
export function createStreamMask(secrets: OwnSecrets): StreamMask {
  let context = ''
  let held = ''
  /** The context ends within a secret that was masked already: its rest is dropped. */
  let isInside = false

  const release = (cut: number, text: string, found: ReturnType<OwnSecrets['find']>, isCutThrough: boolean): string => {
    const base = context.length
    let shown = ''
    let at = base
    for (const { start, end, kind } of found) {
      if (start >= cut || end <= base) continue
      const isRest = start < base && isInside
      shown += text.slice(at, Math.max(at, start)) + (isRest ? '' : maskOf(kind))
      at = Math.min(Math.max(at, end), cut)
    }
    shown += text.slice(at, Math.max(at, cut))
    context = text.slice(Math.max(0, cut - contextLength), cut)
    held = text.slice(cut)
    isInside = isCutThrough
    return shown
  }

  const advance = (): string => {
    const text = context + held
    const found = secrets.find(text)
    const wanted = Math.max(
      context.length,
      Math.min(Math.max(lastSpace(text), text.length - maxHeld), secrets.ownBegun(text), privateKeyBegun(text)),
    )
    const open = found.find(({ start, end }) => start < wanted && end > wanted)
    if (open === undefined) return release(wanted, text, found, false)
    if (held.length <= maxOpen)
      return release(Math.max(context.length, open.start), text, found, isInside && open.start < context.length)
    return release(Math.max(context.length, text.length - maxHeld), text, found, true)
  }

  return {
    push(chunk) {
      const mayRelease = hasSpace(chunk) || held.length + chunk.length > maxHeld + contextLength
      held += chunk
      return mayRelease ? advance() : ''
    },
    end: () => {
      const text = context + held
      return release(text.length, text, secrets.find(text), false)
    },
  }
}

/** A character that is in no secret by form: white space, and all that is not ASCII. */
const space = /[^\x21-\x7e]/
const hasSpace = (text: string): boolean => space.test(text)

/** Where the last word begins; 0 when all is one. */
function lastSpace(text: string): number {
  for (let at = text.length; at > 0; at--) if (hasSpace(text.charAt(at - 1))) return at
  return 0
}
