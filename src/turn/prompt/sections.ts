import { hash } from 'node:crypto'
import type { Message } from '../../domain/messages.ts'
import { tokensIn } from '../../kit/model/tokens.ts'
import type { ToldSection } from '../../store/prompts.ts'
import type { PromptSection } from '../port/capability.ts'

/** A section as it is sent. */
export interface FittedSection extends PromptSection {
  /** Its text is shorter than the whole, and depends on how long the others are. */
  isCut?: true
}

/** The first section has no heading: it says who the model is. */
export const joined = (sections: readonly PromptSection[]): string =>
  sections.map((section, place) => (place === 0 ? section.text : withHeading(section))).join('\n\n')

/** However little the model can read, sections that are brought along may have this many tokens together. */
const leastBrought = 1_000

const cutNote = '[The rest of this section is left out, because the instructions would otherwise be too long.]'

/**
 * The sections in at most about this many tokens: those that were `brought` are cut, the last ones first, and before
 * all others those that can shorten themselves.
 */
export function withinShare(
  sections: readonly PromptSection[],
  brought: readonly PromptSection[],
  tokens: number,
): FittedSection[] {
  const own = sections.filter((section) => !brought.includes(section))
  let left = Math.max(leastBrought, tokens - tokensIn(joined(own)))
  const fitted = new Map<PromptSection, FittedSection>()
  const givingWay = brought.filter(({ shortened }) => shortened !== undefined)
  for (const section of [...brought.filter((one) => !givingWay.includes(one)), ...givingWay]) {
    const size = tokensIn(withHeading(section))
    const short: FittedSection =
      size > left ? { ...section, text: shortenedTo(left / size, section), isCut: true } : section
    fitted.set(section, short)
    left = Math.max(0, left - tokensIn(withHeading(short)))
  }
  return sections.map((section) => fitted.get(section) ?? section)
}

/** What a section that gives way may always have: a line that says where its text is, in characters. */
const shortLine = 300

function shortenedTo(share: number, { text, shortened }: PromptSection): string {
  const most = Math.floor(text.length * share)
  const own = shortened?.(most)
  return own !== undefined && own.length <= Math.max(most, shortLine) ? own : `${beginningOf(text, share)}\n${cutNote}`
}

/** Whole lines from the beginning of a text, up to this share of it. */
function beginningOf(text: string, share: number): string {
  const head = text.slice(0, Math.floor(text.length * share))
  return head.slice(0, Math.max(0, head.lastIndexOf('\n')))
}

const withHeading = ({ name, text }: PromptSection): string => `# ${name}\n${text}`

const hashOf = (text: string): string => hash('sha256', text, 'base64url').slice(0, 16)

const toldAt = ({ name, text, isCut }: FittedSection, at: number): ToldSection => ({
  name,
  hash: hashOf(text),
  at,
  ...(isCut && { isCut }),
})

export const toldInPrompt = (sections: readonly FittedSection[]): ToldSection[] =>
  sections.map((section) => toldAt(section, 0))

/** What the model hasn't been told yet: new or changed sections, and the names of removed ones. */
export interface PromptChanges {
  changed: FittedSection[]
  gone: string[]
}

export function changesSince(told: readonly ToldSection[], now: readonly FittedSection[]): PromptChanges {
  const known = new Map(told.map(({ name, hash }) => [name, hash]))
  const names = new Set(now.map(({ name }) => name))
  return {
    changed: now.filter(({ name, text }) => known.get(name) !== hashOf(text)),
    gone: told.filter(({ name, hash }) => hash !== '' && !names.has(name)).map(({ name }) => name),
  }
}

export const isEmpty = ({ changed, gone }: PromptChanges): boolean => changed.length === 0 && gone.length === 0

/** What the model has been told after the message with this number. */
export function toldWith(told: readonly ToldSection[], { changed, gone }: PromptChanges, at: number): ToldSection[] {
  const latest = [...changed.map((section) => toldAt(section, at)), ...gone.map((name) => ({ name, hash: '', at }))]
  const names = new Set(latest.map(({ name }) => name))
  return [...told.filter(({ name }) => !names.has(name)), ...latest]
}

/** The changes, as the program tells them. */
export function changeText({ changed, gone }: PromptChanges): string {
  const lines = [
    ...changed.map(withHeading),
    ...gone.map((name) => `The section “${name}” no longer applies: what it describes is gone.`),
  ]
  const many = changed.length + gone.length > 1
  const these =
    changed.length === 0 ? '' : ` ${many ? 'These sections replace' : 'This section replaces'} any of the same name.`
  return `[The program] Your instructions have changed.${these}\n\n${lines.join('\n\n')}`
}

/** Changes whose message is no longer sent to the model; undefined if there are none. */
export function changesBefore(
  window: readonly Message[],
  told: readonly ToldSection[],
  now: readonly FittedSection[],
): PromptChanges | undefined {
  const sent = new Set(window.map(({ seq }) => seq))
  const out = told.filter(({ at }) => at > 0 && !sent.has(at))
  const names = new Set(out.map(({ name }) => name))
  const changes = {
    changed: now.filter(({ name }) => names.has(name)),
    gone: out.filter(({ hash }) => hash === '').map(({ name }) => name),
  }
  return isEmpty(changes) ? undefined : changes
}
