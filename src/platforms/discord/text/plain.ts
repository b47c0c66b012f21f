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

/** A text that cannot close a fence. */
export const unfenced = (text: string): string => text.replace(/```/g, '`\u200b``')

/** A fence that the text cannot close. */
export const fenced = (text: string, language: string): string => `\`\`\`${language}\n${unfenced(text)}\n\`\`\``

/** A moment, in each reader's own time zone: as a date with time, or as "in 5 minutes". */
export const moment = (ms: number, style: 'f' | 'R' = 'f'): string => `<t:${Math.floor(ms / 1000)}:${style}>`
