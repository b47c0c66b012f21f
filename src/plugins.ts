import { pathToFileURL } from 'node:url'
import type { Config } from './config/config.ts'
import { BobbinError, reasonOf } from './domain/errors.ts'
import type { Plugin } from './domain/plugin.ts'
import type { Tool } from './domain/tool.ts'

/**
 * Loads the plug-ins that the configuration names: modules whose default export makes one of its options.
 * Throws `bad_plugin`.
 */
export function loadPlugins(named: { path: string; options: Record<string, unknown> }[]): Promise<Plugin[]> {
  return Promise.all(
    named.map(async ({ path, options }) => {
      try {
        const module: { default: (options: Record<string, unknown>) => Plugin } = await import(pathToFileURL(path).href)
        return module.default(options)
      } catch (thrown) {
        throw new BobbinError(
          'bad_plugin',
          `The plug-in ${path} cannot be loaded: ${reasonOf(thrown)}`,
          'Correct its path in config/bobbin.yaml, or take it out.',
          { cause: thrown },
        )
      }
    }),
  )
}

/** The tools of the bot and then the plug-ins'. Throws `bad_plugin` for a name that is taken: policy goes by names. */
export function allTools(builtin: Tool[], plugins: Plugin[]): Tool[] {
  const tools = [...builtin]
  for (const plugin of plugins) {
    for (const tool of plugin.tools ?? []) {
      if (tools.some(({ name }) => name === tool.name)) {
        throw new BobbinError(
          'bad_plugin',
          `The plug-in ${plugin.name} brings a tool called ${tool.name}, and there is one already.`,
          'Give it another name.',
        )
      }
      tools.push(cautious(tool))
    }
  }
  return tools
}

/** What a plug-in does not say of its tool is taken for the worse: it brings others' words, and can carry some out. */
function cautious(tool: Tool): Tool {
  if (tool.kind !== 'run') return tool
  const { source = () => `the tool ${tool.name}`, sends = tool.effect === 'external' } = tool
  return { ...tool, source, sends }
}

/** A rule for a tool that does not exist would protect nothing. Throws `unknown_tool`. */
export function checkRules({ rules, tiers }: Pick<Config, 'rules' | 'tiers'>, tools: Tool[]): void {
  const names = ['*', ...tools.map(({ name }) => name)]
  const disabled = Object.entries(tiers).flatMap(([name, { enabled }]) => (enabled ? [] : [name]))
  const check = (file: string, named: string[]) => {
    const unknown = named.find((name) => !names.includes(name) && !disabled.includes(name))
    if (unknown === undefined) return
    throw new BobbinError(
      'unknown_tool',
      `${file} names the tool ${JSON.stringify(unknown)}, and there is no such tool.`,
      `Correct its name; there are: ${names.join(', ')}.`,
    )
  }
  check('hitl_rules.yaml', [...rules.use.flatMap((rule) => rule.tools), ...Object.keys(rules.tools)])
  check('tools.yaml', Object.keys(tiers))
}
