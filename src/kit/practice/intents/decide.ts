import { choicesIn } from '../names-in-text.ts'
import { callOnce, type Intent } from '../situation.ts'

const asks = /^(?:ask|let) (?:me|us) (?:to )?(?:decide|choose|pick)\b|^让我(决定|选择)/i
const about = /^.*?(?:\b(?:between|decide on|decide|choose|pick)\b[:\s]*(?:between\s+)?|(?:决定|选择)[:：]?)/i

export const decide: Intent = {
  name: 'decide',
  example: 'ask me to decide between a quick fix and a rewrite',
  matches: (text) => asks.test(text),
  next(situation) {
    const choices = choicesIn(situation.text.replace(about, ''))
    const labels = choices.length >= 2 ? choices : ['Go on', 'Stop here']
    const options = labels.slice(0, 25).map((label, place) => ({ label: label.slice(0, 75), recommended: place === 0 }))
    const input = { question: `Which way shall it be: ${labels.join(' or ')}?`, options }
    return callOnce(situation, { name: 'ask_decision', input }, (answer) => `That’s decided.\n\n> ${answer}`)
  },
}
