import { filesIn, outputIn, unquoted } from '../names-in-text.ts'
import { callOnce, type Intent } from '../situation.ts'

const asks = /^(?:write|create|save|make|put|store)\b|^(?:写|创建|保存)/i
const target =
  /\s+(?:in)?(?:to|in|as)\s+(?:a\s+(?:new\s+)?file\s+)?(?:called\s+|named\s+)?[`'"“]?(?:outputs\/|temp\/|uploads\/)?[\p{L}\p{N}_./-]+\.\w{1,5}[`'"”]?[.!]?\s*$/iu
const withContent =
  /\.\w{1,5}[`'"”]?\s+(?:with(?:\s+the)?(?:\s+(?:text|content))?|containing|saying|that says|:)\s*[:]?\s*([\s\S]+)$/i

const haiku = 'Threads wound on a spool,\na practice run, no model —\nstill, the file is real.'

/** What to write: "hello" of "write hello to a.txt", or what follows "with". */
function contentIn(text: string): string {
  const fence = text.match(/```\w*\n([\s\S]*?)```/)?.[1]
  if (fence !== undefined) return fence
  const following = text.match(withContent)?.[1]
  const said =
    following ??
    text
      .replace(asks, '')
      .replace(target, '')
      .replace(/写到.*$|到文件.*$/, '')
      .trim()
  if (/\bhaiku\b|\bpoem\b|俳句|诗/i.test(said)) return `${haiku}\n`
  return `${unquoted(said)}\n`
}

export const write: Intent = {
  name: 'write',
  example: 'write a haiku to outputs/haiku.md',
  matches: (text, situation) => asks.test(text) && filesIn(text, situation).length > 0,
  next(situation) {
    const named = filesIn(situation.text, situation).at(-1) ?? ''
    const path = /\buploads\//.test(situation.text)
      ? named
      : outputIn(situation.text, named.replace(/^uploads\//, 'outputs/'))
    const content = contentIn(situation.text)
    return callOnce(
      situation,
      { name: 'write_file', input: { path, content } },
      (result) => result.split('\n', 1)[0] ?? '',
    )
  },
}
