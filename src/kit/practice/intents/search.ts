import { filesIn, quotedIn } from '../names-in-text.ts'
import { callOnce, type Intent } from '../situation.ts'

const asks =
  /^(?:find|search|grep|look for|where (?:is|are|does|do)|what (?:does|do) .{1,200} say (?:about|on))\b|^(?:搜索|查找|搜)/i
const spoken =
  /^(?:find|search|grep|look)\s+(?:(?:the|my|all|uploaded)\s+)*(?:files?\s+|uploads\s+)?(?:for\s+)?(.+?)(?:\s+in\s+(?:the\s+|my\s+|all\s+)*(?:uploaded\s+)?(?:files?\b|uploads\b|workspace\b|folder\b|#?[^\s"]+\.\w{1,5}\b).*)?[.?]?$/i

function soughtIn(text: string): string | undefined {
  const about = /\bsay (?:about|on)\s+(.+?)[.?]?$/i.exec(text)?.[1]
  return quotedIn(text)[0] ?? about ?? text.match(spoken)?.[1] ?? text.match(/^(?:搜索|查找|搜)\s*(.+)$/)?.[1]
}

export const search: Intent = {
  name: 'search',
  example: 'find “budget” in the files',
  matches: (text) => asks.test(text) && soughtIn(text) !== undefined,
  next(situation) {
    const sought = soughtIn(situation.text) ?? ''
    // The text to find may itself look like a file name.
    const files = filesIn(situation.text.replace(sought, ''), situation)
    const path = files.length === 1 ? (files[0] ?? '.') : '.'
    const where = path === '.' ? 'all files' : `\`${path}\``
    return callOnce(
      situation,
      { name: 'search_file', input: { query: sought, path } },
      (result) => `I searched ${where} for “${sought}”:\n\n${result}`,
    )
  },
}
