const token = /\s+|"(?:[^"\\\n]|\\[\s\S])*"|#[^\n]*|[A-Za-z_]\w*|[\s\S]/y
const pattern = /\/(?:[^/\\\n]|\\.)*\//y

// After these a slash begins a regular expression; after other words it may, and after the rest it divides.
const operand = /^(?:|[{}(,;~!&|\n])$/
const keyword = /^(?:print|printf|return|in|case|getline|exit|delete|do|else)$/

/** Whether an awk program runs others, reads other files, or can't be told from one that does. */
export function awkMayRun(text: string): boolean {
  let before = ''
  for (let at = 0; at < text.length; ) {
    token.lastIndex = at
    const found = token.exec(text)?.[0] ?? text[at] ?? ''
    if (found === '/' && operand.test(before)) {
      pattern.lastIndex = at
      const [whole] = pattern.exec(text) ?? []
      if (whole === undefined) return true
      at += whole.length
      before = '/'
      continue
    }
    if (found === '/' && keyword.test(before)) return true
    if (found === '"' || found === '@' || found === 'system' || found === 'getline' || found.includes('/inet'))
      return true
    if (found === '|' && text[at + 1] !== '|') return true
    at += found === '|' ? 2 : found.length
    if (found.includes('\n')) before = '\n'
    else if (!/^[\s#]/.test(found)) before = found
  }
  return false
}
