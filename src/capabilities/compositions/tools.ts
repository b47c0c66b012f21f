import { z } from 'zod'
import { defineTool, type Tool, type ToolContext } from '../../domain/tool.ts'
import type { Composition, Compositions, Step } from './settings.ts'
import { compositionsWords } from './words.ts'

export interface CompositionsContext extends ToolContext {
  compositions: { begin(name: string, parameters: Record<string, string>): Promise<void> }
}

/** Each composition as the tool that models get. */
export const toolsOf = (compositions: Compositions): Tool[] =>
  [...compositions].map(([name, composition]) => toolOf(name, composition))

/** In the file's order, whichever is tried first: the model's list of tools stays the same. */
const eitherOf = ({ tool, otherwise }: Step): string =>
  otherwise === undefined || otherwise.tool === tool ? tool : `${tool} (or ${otherwise.tool})`

const toolOf = (name: string, { description, parameters, groups }: Composition): Tool =>
  defineTool<Record<string, string>, CompositionsContext>({
    kind: 'run',
    name,
    description: `${description} Runs ${groups.map((group) => group.map(eitherOf).join(' and ')).join(', then ')}.`,
    input: z.strictObject(
      Object.fromEntries([...parameters].map(([one, about]) => [one, z.string().max(20_000).describe(about)])),
    ) as unknown as z.ZodType<Record<string, string>>,
    doing: () => compositionsWords.starting({ name }),
    // It only begins: every step is a call of its own, with the approval that it needs.
    effect: 'read',
    repeatable: true,
    async run(input, { compositions }) {
      await compositions.begin(name, input)
      return 'Begun: its steps follow as calls of their own. Go on when the last has ended.'
    },
  })
