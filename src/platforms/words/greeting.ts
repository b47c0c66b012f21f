/** What the bot says once in a channel that it was invited to, in Markdown. `call` is how people mention it there. */
export const greeting = (call: string): string =>
  `Hello! Mention me with what you need, such as “${call} compare these two files”, and I answer in a thread. I ask before I do anything dangerous. \`${call} help\` shows what else I can do.`
