/** A line without its secrets, and where in it `at` is now. Comes before any cut: nobody recognizes half a secret. */
export function maskedLine(line: string, at: number, mask: (text: string) => string): { text: string; at: number } {
  const text = mask(line)
  return { text, at: text === line ? at : Math.min(text.length, mask(line.slice(0, at)).length) }
}

/** A passage with its matches in bold, or masked and without them, if they might break a secret apart. */
export function unbroken(passage: string, mask: (text: string) => string): string {
  const plain = mask(passage).replaceAll('**', '')
  const masked = mask(plain)
  return masked === plain ? passage : masked
}
