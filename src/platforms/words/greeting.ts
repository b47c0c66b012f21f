import { chatWords } from './words.ts'

/** What the bot says once in a channel that it was invited to, in Markdown. `call` is how people mention it there. */
export const greeting = (call: string): string => chatWords.greeting({ call })
