import { z } from 'zod'
import { defineTool, type ToolContext } from '../../domain/tool.ts'
import type { TurnScope } from '../../turn/port/scope.ts'
import { moreToolsWords } from './words.ts'

export interface LoadContext {
  more: Pick<TurnScope, 'load'>
}

const input = z.strictObject({
  names: z.array(z.string().min(1).max(64)).min(1).max(20).describe('Of “More tools”'),
})

export const loadTools = defineTool<z.infer<typeof input>, LoadContext & ToolContext>({
  kind: 'run',
  name: 'load_tools',
  description: 'Loads tools into this thread. You have them from the next step on.',
  input,
  doing: ({ names }) => moreToolsWords.getting({ names: names.join(', ') }),
  effect: 'read',
  repeatable: true,
  stays: true,
  async run({ names }, { more }) {
    const { loaded, noRoom } = await more.load(names)
    const missing = names.filter((name) => !loaded.includes(name) && !noRoom.includes(name))
    return [
      loaded.length === 0 ? 'Nothing was loaded.' : `Loaded: ${loaded.join(', ')}.`,
      ...(noRoom.length === 0 ? [] : [`This thread has no room for more tools, a new one has: ${noRoom.join(', ')}.`]),
      ...(missing.length === 0 ? [] : [`These can’t be loaded: ${missing.join(', ')}.`]),
    ].join(' ')
  },
})
