import { choicesIn, isChinese } from '../names-in-text.ts'
import { callOnce, type Intent } from '../situation.ts'

const asks = /^(?:ask me|ask us|ask a question)\b\s*|^问我/i
const spare = [
  { label: 'Tea', description: 'Warm and calm', recommended: true },
  { label: 'Coffee', description: 'Warm and awake' },
  { label: 'Water', description: 'Just right' },
]

/** "which colour I like: red, green or blue" as a question and its options. */
function questionIn(text: string): { question: string; options: { label: string }[] } {
  const said = text
    .replace(asks, '')
    .trim()
    .replace(/[.。]$/, '')
  if (said === '' || /^(something|anything|a question|一个问题|点什么)/i.test(said)) {
    return { question: isChinese(text) ? '您想喝点什么？' : 'What would you like to drink?', options: spare }
  }
  const [about = '', list] = said.split(/\s*[:：]\s*/, 2)
  const question = about
    .replace(/^((?:which|what)\b.*?) I (?=\w)/i, '$1 do you ')
    .replace(/\bI\b/g, 'you')
    .replace(/\bmy\b/g, 'your')
    .replace(/\?+$/, '')
  const options = list === undefined ? [] : choicesIn(list).map((label) => ({ label: label.slice(0, 75) }))
  return { question: `${question.charAt(0).toUpperCase()}${question.slice(1)}?`, options }
}

export const ask: Intent = {
  name: 'ask',
  example: 'ask me which colour I like: red, green or blue',
  matches: (text) => asks.test(text),
  next(situation) {
    const { question, options } = questionIn(situation.text)
    const input = { question, ...(options.length > 0 && { options }) }
    return callOnce(situation, { name: 'ask_human', input }, (answer) => `Thank you.\n\n> ${answer}`)
  },
}
