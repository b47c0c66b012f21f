import { callOnce, type Intent } from '../situation.ts'
import { fenced, firstLines, quotedIn } from '../words.ts'

const asks = /^(?:find|search|grep|look for|where (?:is|are|does|do))\b|^(?:搜索|查找|搜)/i
const spoken =
  /^(?:find|search|grep|look)\s+(?:(?:the|my|all|uploaded)\s+)*(?:files?\s+|uploads\s+)?(?:for\s+)?(.+?)(?:\s+in\s+(?:the\s+|my\s+|all\s+)*(?:uploaded\s+)?(?:files?|uploads|workspace|folder)\b.*)?[.?]?$/i

const plain = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

function soughtIn(text: string): string | undefined {
  return quotedIn(text)[0] ?? text.match(spoken)?.[1] ?? text.match(/^(?:搜索|查找|搜)\s*(.+)$/)?.[1]
}

export const search: Intent = {
  name: 'search',
  example: 'find “budget” in the files',
  matches: (text) => asks.test(text) && soughtIn(text) !== undefined,
  next(situation) {
    const sought = soughtIn(situation.text) ?? ''
    const input = { pattern: plain(sought), path: '.', ignore_case: true }
    return callOnce(
      situation,
      { name: 'grep_files', input },
      (result) => `I searched all files for “${sought}”:\n\n${fenced(firstLines(result, 40))}`,
    )
  },
}
