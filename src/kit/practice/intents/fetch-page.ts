import { fenced, firstLines } from '../names-in-text.ts'
import { callOnce, type Intent } from '../situation.ts'

const asks = /\b(?:fetch|get|open|read|show|visit|download|look at)\b|打开|抓取|读/i
const address = /https?:\/\/[^\s<>"'`|]{1,2000}/i
const shownLines = 40

const addressIn = (text: string): string | undefined => address.exec(text)?.[0].replace(/[.,;:!?)\]]{1,9}$/, '')

/** Fetches a page and shows its beginning. */
export const fetchPage: Intent = {
  name: 'fetch page',
  example: 'fetch https://example.com',
  matches: (text) => addressIn(text) !== undefined && asks.test(text.replace(address, '')),
  next(situation) {
    const url = addressIn(situation.text) ?? ''
    const asFile = /\b(?:download|as a file)\b/i.test(situation.text)
    const call = { name: 'web_fetch', input: { url, ...(asFile && { as: 'file' }) } }
    return callOnce(situation, call, (result) => `${url} says:\n\n${fenced(firstLines(result, shownLines))}`)
  },
}
