import { fenced } from '../names-in-text.ts'
import { callOnce, type Intent } from '../situation.ts'

const asks =
  /\b(?:list|what|which|show)\b.*\b(?:files|folders?|workspace|uploads|outputs)\b|^ls\b|(?:列出|有哪些|显示).*文件/i

export const listFiles: Intent = {
  name: 'list-files',
  example: 'list files',
  matches: (text) => asks.test(text),
  next(situation) {
    const path = situation.text.match(/\b(uploads|outputs|temp|skills)\b/)?.[1] ?? '.'
    const what = path === '.' ? 'the workspace' : `${path}/`
    return callOnce(situation, { name: 'list_files', input: { path } }, (result) => `In ${what}:\n\n${fenced(result)}`)
  },
}
