/** A link's destination as Markdown has it. */
export function destination(url: string): string {
  const written = url.replace(/&(?=#?\w+;)/g, '&amp;').replace(/\\(?=[!-/:-@[-`{-~])/g, '\\\\')
  if (/^[^\s()<>\p{Cc}]+$/u.test(written)) return written
  return `<${written.replace(/\s+/g, ' ').replace(/[<>]/g, '\\$&')}>`
}

export const titled = (title: string | null | undefined): string =>
  title ? ` "${title.replace(/\s*\n\s*/g, ' ').replace(/["\\]/g, '\\$&')}"` : ''

/** Plain text so that Markdown has nothing to read in it; on one line. */
export const escaped = (text: string): string =>
  text
    .replace(/\s+/g, ' ')
    .replace(/[\\`*_[\]<>&|~#]/g, '\\$&')
    .trim()

/** Where an image is, as a link to it: nobody fetches what the model wrote. */
export function imageLink(alt: string | null | undefined, url: string): string {
  const label = escaped(alt ?? '') || 'image'
  return url === '' ? label : `[${label}](${destination(url)})`
}
