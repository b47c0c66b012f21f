import { unquoted } from '../names-in-text.ts'
import { callOnce, type Intent } from '../situation.ts'

const asks =
  /^(?:(?:search|look)(?: on)? (?:the )?(?:web|internet|net)(?: for)?|search online(?: for)?|google|web search(?: for)?)\b[:\s]{0,9}|^(?:在网上|上网)(?:搜索|查找|搜|查)[:：\s]{0,9}/i

const queryIn = (text: string): string => unquoted(text.replace(asks, '').replace(/[.?!。？]{1,9}$/, ''))

export const searchWeb: Intent = {
  name: 'search web',
  example: 'search the web for durable chat bots',
  matches: (text) => asks.test(text) && queryIn(text) !== '',
  next(situation) {
    const query = queryIn(situation.text)
    const call = { name: 'web_search', input: { query } }
    return callOnce(situation, call, (result) => `I searched the web for “${query}”:\n\n${result}`)
  },
}
