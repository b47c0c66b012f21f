import { cutUtf8 } from '../domain/text.ts'

/** Bytes of a name: below the 255 of file systems, so that a suffix still fits. */
const nameBytes = 200

/** Control and format characters (among them those that turn the writing direction), separators, and what is no character. */
const invisible = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}]+/gu
const forbidden = /[<>:"|?*`$]/g
const reserved = /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(\.|$)/i

/** A plain file name of at most 200 bytes from whatever an attachment calls itself. Applying it again changes nothing. */
export function safeName(name: string): string {
  const last =
    name
      .toWellFormed()
      .split(/[/\\]/)
      .findLast((part) => /[^.\s]/.test(part)) ?? ''
  const visible = last
    .replace(/\s/g, ' ')
    .replace(invisible, '')
    .replace(/ +/g, ' ')
    .normalize('NFC')
    .replace(forbidden, '_')
  const trimmed = trimmedEnds(visible)
  const plain = reserved.test(trimmed) ? `_${trimmed}` : trimmed
  return fitted(plain) || 'file'
}

/** A leading dot hides a file, a leading dash or tilde means something to commands, and Windows drops dots and spaces at the end. */
const trimmedEnds = (name: string): string => name.replace(/^[\s.~-]+/, '').replace(/[\s.]+$/, '')

function fitted(name: string, reserve = 0): string {
  if (Buffer.byteLength(name) + reserve <= nameBytes) return name
  const { stem, extension } = split(name)
  const cut = cutUtf8(stem, nameBytes - reserve - Buffer.byteLength(extension)).replace(/[\s.]+$/, '')
  return `${cut}${extension}`
}

/** `report.tar.gz` is `report` and `.tar.gz`; an extension has at most 16 characters and none is empty. */
function split(name: string): { stem: string; extension: string } {
  const extension = /(?<=.)(\.tar)?\.[^.\s]{1,16}$/u.exec(name)?.[0] ?? ''
  return { stem: name.slice(0, name.length - extension.length), extension }
}

/** The first of `report.csv`, `report-2.csv`, `report-3.csv`, … that is not taken. */
export function freeName(name: string, taken: (name: string) => boolean): string {
  for (let count = 1; ; count++) {
    const suffix = count === 1 ? '' : `-${count}`
    const { stem, extension } = split(fitted(name, suffix.length))
    const candidate = `${stem}${suffix}${extension}`
    if (!taken(candidate)) return candidate
  }
}
