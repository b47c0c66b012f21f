import type { Config } from '../../config/config.ts'
import { settingsIn } from '../../config/section.ts'
import { fine } from '../../domain/finding.ts'
import type { Tool } from '../../domain/tool.ts'
import { fitsName } from '../../kit/patterns/name.ts'
import { counted } from '../../kit/text/shown.ts'
import type { Capability } from '../../turn/port/capability.ts'
import { begin, nextCalls } from './run.ts'
import { type Compositions, compositionsSection } from './settings.ts'
import { type CompositionsContext, toolsOf } from './tools.ts'
import { compositionsWords } from './words.ts'

interface Known {
  settings: Compositions
  tools: readonly Tool[]
}

/** Read once for each configuration: the same list of tools stands for as long as nothing in it changes. */
const known = new WeakMap<object, Known>()

function compositionsIn(config: Pick<Config, 'sections'>): Known {
  const found = known.get(config)
  if (found !== undefined) return found
  const settings = settingsIn(config, compositionsSection)
  const read = { settings, tools: toolsOf(settings) }
  known.set(config, read)
  return read
}

/** Chains of tools that an operator composed. */
export const compositions: Capability<Compositions> = {
  name: 'compositions',
  title: 'Compositions',
  settings: compositionsSection,
  found: ({ config }) => compositionsIn(config).tools,
  foundBefore: async (_, settings) => toolsOf(settings),
  mayFind: (name, settings) => [...settings.keys()].some((one) => fitsName(name, one)),
  context: (turn, call): Pick<CompositionsContext, 'compositions'> => ({
    compositions: {
      begin: (name, parameters) =>
        begin(
          turn.bot.store,
          turn.lease,
          { call, turn: turn.row.id, name, parameters },
          compositionsIn(turn.bot.config).settings.get(name),
        ),
    },
  }),
  beforeModel: async (_, scope) => {
    const { settings } = compositionsIn(scope.bot.config)
    return settings.size === 0 ? undefined : nextCalls(scope, settings)
  },
  async *checks(_, settings) {
    yield fine(
      settings.size === 0
        ? compositionsWords.none()
        : `${counted(settings.size, 'composition')}: ${[...settings.keys()].join(', ')}.`,
    )
  },
  terminal: async (args, _, settings, open) =>
    (await import('./terminal.ts')).compositionsTerminal(args, settings, open),
}
