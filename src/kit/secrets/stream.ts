import type { StreamMask } from './mask.ts'
import { maxPrivateKey, privateKeyBegun } from './private-keys.ts'
import { maskOf, type OwnSecrets } from './secrets.ts'
import { maxSecret } from './span.ts'

/**
 * How much earlier text is kept, in UTF-16 units, because it decides what a value is: `password=` and the value may
 * come in two chunks.
 */
const contextLength = 1024
/** How much of a word without a space is held back. */
const maxHeld = maxSecret + contextLength
/** The most that is ever held: what is found by then is masked, and its rest dropped. */
const maxOpen = 2 * maxPrivateKey + maxHeld

/**
 * Masks a text that comes in chunks. Only the last word is held back, since no secret recognised by form contains a
 * space. Private keys and the bot's own values are exceptions: they are held back from where they may have begun.
 */
export function createStreamMask(secrets: OwnSecrets): StreamMask {
  let context = ''
  let held = ''
  /** The context ends within a secret that has been masked: its rest is dropped. */
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

/** A character that no secret recognised by form contains: white space, and everything outside ASCII. */
const space = /[^\x21-\x7e]/
const hasSpace = (text: string): boolean => space.test(text)

/** Where the last word begins; 0 if the text is a single word. */
function lastSpace(text: string): number {
  for (let at = text.length; at > 0; at--) if (hasSpace(text.charAt(at - 1))) return at
  return 0
}
