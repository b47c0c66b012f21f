import type { Config } from '../config/config.ts'
import type { Tool } from '../domain/tool.ts'
import { Failure } from '../kit/failure.ts'
import type { Log } from '../kit/log.ts'
import { nearestName } from '../kit/nearest.ts'
import { fitsName } from '../kit/patterns/name.ts'
import type { Capability } from '../turn/port/capability.ts'
import type { EnabledTools } from '../turn/port/command.ts'
import { settingsOf } from '../turn/port/settings-of.ts'
import { mayBeAdded } from '../turn/port/unknown-names.ts'
import { wiringWords } from './words.ts'

/** A name in a file that no tool has, and where it is: as a key, or in a list. */
export interface UnknownTool {
  file: 'hitl_rules.yaml' | 'tools.yaml'
  name: string
  path: PropertyKey[]
  isKey: boolean
  message: string
  remedy: string
}

/** A rule for a tool that doesn't exist would protect nothing. */
export function unknownTools(
  config: Pick<Config, 'rules' | 'tiers' | 'sections'>,
  tools: Tool[],
  capabilities: readonly Capability[],
): UnknownTool[] {
  const { rules, tiers } = config
  const names = ['*', ...tools.map(({ name }) => name)]
  const disabled = Object.entries(tiers).flatMap(([name, { enabled }]) => (enabled ? [] : [name]))
  const isOfDeciders = (name: string) => capabilities.some((one) => one.deciderNames?.includes(name))
  const found: UnknownTool[] = []
  const look = (file: UnknownTool['file'], name: string, path: PropertyKey[], isKey: boolean) => {
    if (names.includes(name) || (file === 'hitl_rules.yaml' && disabled.includes(name))) return
    // Patterns mean nothing in these files.
    if (!name.endsWith('*') && capabilities.some((one) => one.mayFind?.(name, settingsOf(config, one)))) return
    const meant = nearestName(name, names)
    const likely = meant === undefined ? `There are: ${names.join(', ')}.` : wiringWords.misspeltRemedy({ meant })
    const isForDecider = file === 'hitl_rules.yaml' && isKey && isOfDeciders(name)
    const remedy = isForDecider ? wiringWords.onlyDeciderRemedy() : likely
    found.push({ file, name, path, isKey, message: `there is no tool called ${JSON.stringify(name)}`, remedy })
  }
  for (const [place, rule] of rules.use.entries())
    for (const [at, name] of rule.tools.entries()) look('hitl_rules.yaml', name, ['use', place, 'tools', at], false)
  for (const [name, rule] of Object.entries(rules.tools))
    if (!isOfDeciders(name) || !isOnlyDecider(rule)) look('hitl_rules.yaml', name, ['tools', name], true)
  for (const name of Object.keys(tiers)) look('tools.yaml', name, ['tools', name], true)
  return found
}

const isOnlyDecider = ({ decider, approvals, deny, allow, mode }: Config['rules']['tools'][string]): boolean =>
  decider !== undefined && approvals && [deny, allow, mode].every((part) => part === undefined)

interface NameComplaint {
  section: string
  path: PropertyKey[]
  message: string
  remedy: string
  /** The name, if it is one of a rule. */
  ofRule?: string
}

/** Names in capabilities’ own files that nobody has, or that something else has. */
export function unknownNames(
  config: Config,
  tools: readonly Tool[],
  capabilities: readonly Capability[],
): NameComplaint[] {
  const mayBe = (name: string) => capabilities.some((one) => one.mayFind?.(name, settingsOf(config, one)))
  const there = { config, tools: tools.map(({ name }) => name), mayBe }
  return capabilities.flatMap((one) =>
    (one.unknownNames?.(settingsOf(config, one), there) ?? []).map((fault) => {
      const section = one.settings?.section ?? ''
      if ('message' in fault) return { section, ...fault }
      const { path, what, name, known, isRule = false } = fault
      const meant = nearestName(name, known)
      const likely =
        meant === undefined ? `There are: ${known.join(', ') || 'none'}.` : wiringWords.misspeltRemedy({ meant })
      const remedy = isRule && !mayStay(name) ? `${likely} ${wiringWords.addedToolRemedy({ tool: name })}` : likely
      const message = `there is no ${what} called ${JSON.stringify(name)}`
      return { section, path, message, remedy, ...(isRule && { ofRule: name }) }
    }),
  )
}

/** Whether a rule for it may be about a tool of a server that is added while the bot runs. */
const mayStay = (name: string): boolean => name.endsWith('*') || mayBeAdded(name)

/** A rule for a tool that doesn’t exist. It holds once there is one. */
export interface IdleRule {
  tool: string
  fact: string
}

/**
 * Throws `unknown_tool` for a rule for a tool that doesn’t exist, in hitl_rules.yaml or in a capability’s own file.
 * Returns those that may be about a tool of a server that is added while the bot runs: whoever removes one mustn’t keep
 * the bot from starting again.
 */
export function checkRules(config: Config, tools: Tool[], capabilities: readonly Capability[]): IdleRule[] {
  const inFiles = unknownTools(config, tools, capabilities).map(({ file, name, message, remedy }) => {
    return { tool: name, fact: `${file}: ${message}.`, remedy, mayStay: mayBeAdded(name) }
  })
  const inSections = unknownNames(config, tools, capabilities).flatMap(({ section, path, message, remedy, ofRule }) => {
    if (ofRule === undefined) return []
    const file = capabilities.find(({ settings }) => settings?.section === section)?.settings?.file
    const place = file === undefined ? [section, ...path].join('.') : `${file}: ${path.join('.')}`
    return { tool: ofRule, fact: `${place}: ${message}.`, remedy, mayStay: mayStay(ofRule) }
  })
  const idle = [...inFiles, ...inSections]
  const wrong = idle.find((rule) => !rule.mayStay)
  if (wrong !== undefined) throw new Failure('unknown_tool', wrong.fact, wrong.remedy)
  return idle
}

/** To be called once the tools of servers are known that were added earlier. */
export function warnOf(idle: readonly IdleRule[], { all }: EnabledTools, log: Log): void {
  for (const { tool, fact } of idle) if (!all.some(({ name }) => fitsName(tool, name))) log.warn({}, fact)
}
