import { cutUtf8 } from '../kit/text/text.ts'

/** Bytes of a name; below the 255 of file systems, so that a suffix still fits. */
const nameBytes = 200

/**
 * Control and format characters (including those that change the writing direction), separators, and code points
 * without a character.
 */
const invisible = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}]+/gu
const forbidden = /[<>:"|?*`$]/g
const reserved = /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])\s*(\.|$)/i
/** Letters that look blank: Hangul fillers and the empty Braille cell. */
const blank = /[\s\u115f\u1160\u2800\u3164\uffa0]/g

/** A plain file name of at most 200 bytes from any attachment's name. Applying it again changes nothing. */
export function safeName(name: string): string {
  const last =
    shortened(name)
      .toWellFormed()
      .split(/[/\\]/)
      .findLast((part) => /[^.\s\u115f\u1160\u2800\u3164\uffa0]/.test(part)) ?? ''
  const visible = last
    .replace(blank, ' ')
    .replace(invisible, '')
    .replace(/ +/g, ' ')
    .normalize('NFC')
    .replace(forbidden, '_')
  const trimmed = trimmedEnds(visible)
  const plain = reserved.test(trimmed) ? `_${trimmed}` : trimmed
  return fitted(plain) || 'file'
}

/** A longer name keeps only its beginning and its ending, so the checks below stay fast. */
const shortened = (name: string): string => (name.length <= 4000 ? name : `${name.slice(0, 3000)}${name.slice(-1000)}`)

/**
 * A leading dot hides a file, a leading dash or tilde means something to commands, and Windows drops dots and spaces at
 * the end.
 */
const trimmedEnds = (name: string): string => name.replace(/^[\s.~-]+/, '').replace(/[\s.]+$/, '')

function fitted(name: string, reserve = 0): string {
  if (Buffer.byteLength(name) + reserve <= nameBytes) return name
  const { stem, extension } = split(name)
  const cut = cutUtf8(stem, nameBytes - reserve - Buffer.byteLength(extension)).replace(/[\s.]+$/, '')
  return `${cut}${extension}`
}

/** `report.tar.gz` becomes `report` and `.tar.gz`. An extension has at most 16 characters and is never empty. */
function split(name: string): { stem: string; extension: string } {
  const extension = /(?<=.)(\.tar)?\.[^.\s]{1,16}$/u.exec(name)?.[0] ?? ''
  return { stem: name.slice(0, name.length - extension.length), extension }
}

/**
 * The same for names that some disks treat as equal: Windows and macOS ignore case, macOS also how accents are encoded.
 */
export const nameKey = (name: string): string => name.normalize('NFC').toUpperCase().toLowerCase().normalize('NFC')

/**
 * Numbers are tried one by one up to this; then they double, so that thousands of files with one name aren't all tried.
 */
const oneByOne = 100

/** The first of `report.csv`, `report-2.csv`, `report-3.csv`, … that is free; after a hundred, a later one. */
export function freeName(name: string, taken: (name: string) => boolean): string {
  for (let count = 1; ; count += count < oneByOne ? 1 : count) {
    const suffix = count === 1 ? '' : `-${count}`
    const { stem, extension } = split(fitted(name, suffix.length))
    const candidate = `${stem}${suffix}${extension}`
    if (!taken(candidate)) return candidate
  }
}
