// Text that is no Markdown, such as names, so that it is shown as it is.

/** All that Discord takes for a mark. */
const marks = /[\\`*_~|<>[\]()#@:-]/g

/** On one line, whatever it holds. */
export const plain = (text: string): string => text.replace(/\s+/g, ' ').trim().replace(marks, '\\$&')

/** Within backticks nothing but a backtick is a mark. */
export const inlineCode = (text: string): string => {
  const shown = text.replace(/\s+/g, ' ').replace(/`/g, 'ˋ').trim()
  return shown === '' ? '` `' : `\`${shown}\``
}

/** Characters that nobody sees, or that turn others round, as JSON writes them: what is approved has to be seen. */
export const visible = (json: string): string => json.replace(/[\p{Cf}\p{Zl}\p{Zp}\u115f\u1160\u3164\uffa0]/gu, escaped)

const escaped = (character: string): string =>
  Array.from({ length: character.length }, (_, index) => character.charCodeAt(index))
    .map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`)
    .join('')

/** A text that cannot close a fence. */
export const unfenced = (text: string): string => text.replace(/```/g, '`\u200b``')

/** A fence that the text cannot close. */
export const fenced = (text: string, language: string): string => `\`\`\`${language}\n${unfenced(text)}\n\`\`\``

/** A moment, in each reader's own time zone: as a date with time, or as "in 5 minutes". */
export const moment = (ms: number, style: 'f' | 'R' = 'f'): string => `<t:${Math.floor(ms / 1000)}:${style}>`
