import { callOnce, type Intent } from '../situation.ts'
import { fenced, unquoted } from '../words.ts'

const asks = /^(?:run|execute|运行|执行)\s+(?:the\s+)?(?:command\s+)?[:：]?\s*/i

export const run: Intent = {
  name: 'run',
  matches: (text) => asks.test(text),
  next(situation) {
    const command = unquoted(situation.text.replace(asks, ''))
    return callOnce(situation, { name: 'run_command', input: { command } }, (result) => fenced(result))
  },
}
