// Text that isn't Markdown, such as names, escaped so that it is shown as it is.

/** Every character that Discord treats as markup. */
const marks = /[\\`*_~|<>[\]()#@:-]/g

/** On one line, whatever it contains. */
export const plain = (text: string): string => text.replace(/\s+/g, ' ').trim().replace(marks, '\\$&')

/** Within backticks only a backtick is markup. */
export const inlineCode = (text: string): string => {
  const shown = text.replace(/\s+/g, ' ').replace(/`/g, 'ˋ').trim()
  return shown === '' ? '` `' : `\`${shown}\``
}

/** A text that can't close a fence. */
export const unfenced = (text: string): string => text.replace(/```/g, '`\u200b``')

/** A fence that the text can't close. */
export const fenced = (text: string, language: string): string => `\`\`\`${language}\n${unfenced(text)}\n\`\`\``

/** A time, in each reader's own time zone: as a date with time, or as "in 5 minutes". */
export const moment = (ms: number, style: 'f' | 'R' = 'f'): string => `<t:${Math.floor(ms / 1000)}:${style}>`
