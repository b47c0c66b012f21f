import type { SlotName } from '../kit/model/model.ts'

/**
 * What a step is about, if it calls for a model of its own: code, something hard, or the wording of the last answer.
 */
export type Task = 'code' | 'complex' | 'wording'

const slotOf: Record<Task, SlotName> = { code: 'code', complex: 'reasoning', wording: 'chat' }

/** Who answers when the ones before can't. */
const afterwards: readonly SlotName[] = ['base', 'chat', 'code', 'reasoning', 'vision']

/**
 * The slots to try, best first: what people chose, then what the task calls for, then
 * `base` and all others that are set up. `base` is always one of them.
 */
export function routeOf(
  wish: { chosen: SlotName | undefined; task: Task | undefined },
  isSetUp: (slot: SlotName) => boolean,
): SlotName[] {
  const suited = wish.task === undefined ? [] : [slotOf[wish.task]]
  const wished = wish.chosen === undefined ? suited : [wish.chosen]
  return [...new Set([...wished, ...afterwards])].filter(isSetUp)
}

const codeEndings =
  'c|cc|cpp|cs|css|dart|ex|go|h|hpp|hs|java|jl|js|jsx|kt|lua|m|mjs|php|pl|ps1|py|r|rb|rs|scala|sh|sql|swift|ts|tsx|vue|zig'
const codeFile = new RegExp(`\\.(${codeEndings})$`, 'i')
/** `#name`, with whatever ends the sentence. */
const codeNamed = new RegExp(`(?<![^\\s(（])#[^\\s#]{1,250}?\\.(${codeEndings})(?!\\.?\\w)`, 'i')
const codeBlock = /```|^[ \t]*(at .+:\d+:\d+|Traceback \(most recent call last\))/m
const hard =
  /\b(think (hard|deeply|carefully|it through|step by step)|step by step|prove (that|it)|reason (about|through)|denk(e)? (genau|gut|gründlich) nach|schritt für schritt)\b|(仔细|认真|深入|好好)(地)?(思考|想)|一步一步|逐步(思考|推理|分析)/i

/** What people's messages of a turn are about. What can't be told from a word or a file is nothing special. */
export function taskOf(said: readonly { text: string; files: readonly { path: string }[] }[]): Task | undefined {
  if (said.some(({ text }) => hard.test(text))) return 'complex'
  const isCode = ({ text, files }: (typeof said)[number]) =>
    codeBlock.test(text) || codeNamed.test(text) || files.some(({ path }) => codeFile.test(path))
  return said.some(isCode) ? 'code' : undefined
}
