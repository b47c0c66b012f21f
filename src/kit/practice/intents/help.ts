import { isChinese } from '../names-in-text.ts'
import type { Intent, Situation } from '../situation.ts'

const greeting =
  /^(hi|hello|hey|good (morning|afternoon|evening)|help|thanks|thank you|who are you|what can you do|what are you)\b[^.\n]{0,30}$/i
const chineseGreeting = /^(你好|您好|帮助|谢谢|你是谁|你能做什么|你会什么)/

const who =
  'I’m Bobbin’s practice model: no model endpoint is configured, so I recognise a few requests by their words.'
const whoInChinese = '我是 Bobbin 的练习模型：还没有配置模型接口，所以我只认得一些简单的请求。'
const remedy =
  'For a real model, set MODEL_BASE_API_KEY, MODEL_BASE_BASE_URL and MODEL_BASE_ID in .env, and restart me.'

const listOf = (examples: string[]) => examples.map((example) => `- ${example}`).join('\n')

/** The two intents that explain what this is. `examples` are what a person could write. */
export function helpWith(examples: string[]): { help: Intent; fallback: Intent } {
  const introduction = (situation: Situation) => (isChinese(situation.text) ? `${whoInChinese}\n\n${who}` : who)
  const canDo = `The tools I call are real. Try:\n\n${listOf(examples)}\n\n${remedy}`
  return {
    help: {
      name: 'help',
      matches: (text) => greeting.test(text) || chineseGreeting.test(text),
      next: (situation) => ({ text: `Hello! ${introduction(situation)}\n\n${canDo}` }),
    },
    fallback: {
      name: 'fallback',
      matches: () => true,
      next: (situation) => ({ text: `I didn’t understand that. ${introduction(situation)}\n\n${canDo}` }),
    },
  }
}
