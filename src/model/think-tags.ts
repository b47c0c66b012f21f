import type { ModelChunk } from '../kit/model/model.ts'

type Said = Extract<ModelChunk, { kind: 'text' | 'thought' }>

const opening = '<think>'
const closing = '</think>'

/** The end of reasoning that a template has begun, at the end of the prompt. */
const loneClosing = `\n${closing}\n\n`

/** A line that begins or ends a block of code. */
const fence = /^[ \t]*(?:```|~~~)/gm

/**
 * Finds the reasoning of models whose server leaves it in the content. Whatever is in `<think>` at the very beginning
 * is a thought, also if its end never comes.
 *
 * Some templates end the prompt with `<think>`, so that only its end comes, after what was taken for text. An answer
 * may be about these tags, so only the first `</think>` with a line to itself and an empty line after it counts, and
 * only if no `<think>` and no unfinished block of code is before it.
 */
export function thinkTags() {
  let state: 'start' | 'thought' | 'gap' | 'maybe thought' | 'text' = 'start'
  let held = ''
  let shown = ''
  // The first line begins as the others do.
  let recent = '\n'

  function* thought(): Generator<Said> {
    const end = held.indexOf(closing)
    const until = end === -1 ? heldFrom(held) : end
    if (until > 0) yield { kind: 'thought', text: held.slice(0, until) }
    held = held.slice(end === -1 ? until : end + closing.length)
    if (end !== -1) state = 'gap'
  }

  function* lookForEnd(): Generator<Said> {
    const all = recent + held
    const end = all.indexOf(loneClosing)
    recent = all.slice(1 - loneClosing.length)
    shown += held
    if (end === -1) return
    const before = shown.slice(0, Math.max(0, shown.length - (all.length - end)))
    state = 'text'
    if (isAboutTags(before)) return
    yield { kind: 'thought', text: before, wasText: true }
    state = 'gap'
    held = all.slice(end + loneClosing.length)
  }

  return {
    /** The server tells reasoning apart itself. */
    needless() {
      if (state === 'start') state = 'text'
    },
    *add(piece: string): Generator<Said> {
      held += piece
      if (state === 'start') {
        const begun = held.trimStart()
        if (begun.startsWith(opening)) {
          state = 'thought'
          held = begun.slice(opening.length)
        } else if (!opening.startsWith(begun)) state = 'maybe thought'
      }
      if (state === 'thought') yield* thought()
      if (state === 'maybe thought') yield* lookForEnd()
      if (state === 'gap') {
        held = held.trimStart()
        if (held !== '') state = 'text'
      }
      if (state === 'maybe thought' || state === 'text') yield* this.end()
    },
    /** What was held back because more might have come. */
    *end(): Generator<Said> {
      if (held !== '') yield { kind: state === 'thought' ? 'thought' : 'text', text: held }
      held = ''
    },
  }
}

/** Where the end of the text may be the beginning of `</think>`. */
function heldFrom(text: string): number {
  const at = text.lastIndexOf('<')
  return at !== -1 && closing.startsWith(text.slice(at)) ? at : text.length
}

const isAboutTags = (text: string): boolean => text.includes(opening) || (text.match(fence)?.length ?? 0) % 2 === 1
