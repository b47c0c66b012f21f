import { unquoted } from '../names-in-text.ts'
import { callOnce, type Intent } from '../situation.ts'

const asks = /^(?:finish|end the turn)\b(?:\s+(?:with|by saying|saying))?[:\s]*/i

export const finish: Intent = {
  name: 'finish',
  example: 'finish with “All done.”',
  matches: (text) => asks.test(text),
  next(situation) {
    const summary = unquoted(situation.text.replace(asks, '')) || 'Done.'
    return callOnce(situation, { name: 'finish', input: { summary } }, () => summary)
  },
}
