import { bobbinFile } from '../config/schema.ts'
import type { Tool } from '../domain/tool.ts'
import { sessionCommands } from '../inbound/commands/index.ts'
import type { JobKind } from '../jobs/kind.ts'
import { Failure } from '../kit/failure.ts'
import type { Capability } from '../turn/port/capability.ts'
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

/** Throws `bad_plugin` for a session command whose name something else has. */
export const checkCommands = (bot: TurnServices, plugins: readonly Capability[]): void =>
  refuseBrought(wiringWords.namedCommand(), sessionCommands([]), bot.capabilities.commands(bot), plugins)

/** `ours` and those of all capabilities. Throws `bad_plugin` for a kind whose name something else has. */
export function allJobs(bot: TurnServices, ours: readonly JobKind[], plugins: readonly Capability[]): JobKind[] {
  const brought = bot.capabilities.jobs(bot)
  refuseBrought(wiringWords.namedJob(), ours, brought, plugins)
  return [...ours, ...[...brought.values()].flat()]
}

type Named = readonly { name: string }[]

function refuseBrought(
  what: string,
  ours: Named,
  brought: ReadonlyMap<Capability, Named>,
  plugins: readonly Capability[],
): void {
  const namesOf = (one: Capability) => (brought.get(one) ?? []).map(({ name }) => name)
  const parts = [...brought.keys()].filter((one) => !plugins.includes(one))
  refuseTaken(what, [...ours.map(({ name }) => name), ...parts.flatMap(namesOf)], plugins, namesOf)
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
