import { bobbinFile } from '../config/schema.ts'
import type { Tool } from '../domain/tool.ts'
import { sessionCommands } from '../inbound/commands/index.ts'
import type { JobKind } from '../jobs/kind.ts'
import { Failure } from '../kit/failure.ts'
import type { Capability } from '../turn/port/capability.ts'
import { settingsOf } from '../turn/port/settings-of.ts'
import type { TurnServices } from '../turn/state/services.ts'
import { wiringWords } from './words.ts'

/**
 * The tools of all capabilities. Throws `bad_plugin` for a name that something else has: one of the two would never be
 * heard of, and the policy goes by the names of tools.
 */
export function allTools(builtin: readonly Capability[], plugins: readonly Capability[]): Tool[] {
  const names = builtin.map(({ name }) => name)
  for (const { name } of plugins) {
    if (names.includes(name)) {
      const isPart = builtin.some((one) => one.name === name)
      const fact = isPart ? wiringWords.partNameTaken({ name }) : wiringWords.pluginNameTaken({ name })
      throw new Failure('bad_plugin', fact, wiringWords.ownNameTakenRemedy())
    }
    names.push(name)
  }
  const sectionOf = ({ settings }: Capability) => (settings === undefined ? [] : [settings.section])
  const sections = [...Object.keys(bobbinFile.shape), ...builtin.flatMap(sectionOf)]
  refuseTaken(wiringWords.namedSection(), sections, plugins, sectionOf)
  const toolsOf = ({ tools = [] }: Capability) => tools.map(({ name }) => name)
  refuseTaken('tool', builtin.flatMap(toolsOf), plugins, toolsOf)
  return [...builtin, ...plugins].flatMap(({ tools = [] }) => [...tools])
}

/** Throws `bad_plugin` for a session command or a kind of job whose name something else has. */
export function checkBotNames(
  bot: TurnServices,
  builtin: readonly Capability[],
  plugins: readonly Capability[],
  ours: readonly JobKind[],
): void {
  const namesOf = (all: readonly { name: string }[] = []) => all.map(({ name }) => name)
  const commandsOf = (one: Capability) => namesOf(one.commands?.(bot, settingsOf(bot.config, one)))
  const jobsOf = (one: Capability) => namesOf(one.jobs?.(bot, settingsOf(bot.config, one)))
  const commands = [...namesOf(sessionCommands([])), ...builtin.flatMap(commandsOf)]
  refuseTaken(wiringWords.namedCommand(), commands, plugins, commandsOf)
  refuseTaken(wiringWords.namedJob(), [...namesOf(ours), ...builtin.flatMap(jobsOf)], plugins, jobsOf)
}

/** Throws `bad_plugin` if two plug-ins, or a plug-in and Bobbin, have something of one name. */
function refuseTaken(
  what: string,
  ours: readonly string[],
  plugins: readonly Capability[],
  namesOf: (plugin: Capability) => readonly string[],
): void {
  const owners = new Map(ours.map((taken) => [taken, 'Bobbin']))
  for (const plugin of plugins) {
    const { name } = plugin
    for (const taken of namesOf(plugin)) {
      const owner = owners.get(taken)
      if (owner !== undefined) {
        const fact = wiringWords.nameTaken({ name, what, taken, owner })
        throw new Failure('bad_plugin', fact, wiringWords.nameTakenRemedy())
      }
      owners.set(taken, wiringWords.pluginOwner({ name }))
    }
  }
}
