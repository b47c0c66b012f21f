import type { Risk } from '../domain/question.ts'
import type { Effect } from '../domain/tool.ts'
import { compilePattern, compileWildcard, type Pattern, type Wildcard } from '../kit/patterns/pattern.ts'

export type Action = 'allow' | 'require_approval' | 'deny'
type Stricter = 'require_approval' | 'deny'

interface RuleBody<Of extends Action> {
  action: Of
  risk: Risk
  reason: string
}

/** Who decides, as in `config/hitl_rules.yaml`. Times are in ms. */
export interface Decider {
  /** asker, participants, anyone, operator, user:<id>, group:<id> */
  who: string[]
  asker: boolean
  needed: number
  remind_ms?: number
  next?: { after_ms: number; decider: string }
  deny_ms?: number
}

interface UseRule {
  tools: string[]
  people?: string[]
  channels?: string[]
  tenants?: string[]
  reason?: string
}

export interface RulesFile {
  approvals: boolean
  ask_from: Risk
  use: UseRule[]
  commands: (RuleBody<Stricter> & {
    programs?: string[]
    options?: string[][]
    text?: string[]
    writes?: string[]
    hosts?: string[]
  })[]
  unclear: RuleBody<Stricter>
  addresses: (RuleBody<Stricter> & { hosts: string[] })[]
  uploads: RuleBody<Action>
  everywhere: (RuleBody<Stricter> & { pattern: string; effects: Effect[] })[]
  tools: Record<string, ToolRule>
  defaults: Record<Effect, Action>
  untrusted: { action: Action; lasts: 'turn' | 'thread' }
  deciders: Record<string, Decider>
  questions: { who: string[]; remind_ms?: number; open_ms?: number; decline_ms?: number }
  decide: Record<Risk, string>
}

interface ToolRule {
  approvals: boolean
  deny?: string[]
  allow?: string[]
  mode?: 'auto' | 'confirm'
  risk: Risk
  reason?: string
  decider?: string
}

export interface CommandRule extends RuleBody<Stricter> {
  programs: Wildcard[] | undefined
  options: string[][]
  text: Wildcard[] | undefined
  writes: Wildcard[] | undefined
  /** Empty: such a command wants network, and has none unless another rule names hosts. */
  hosts?: string[]
}

/** The rules with compiled patterns. */
export interface Rules extends Omit<RulesFile, 'commands' | 'addresses' | 'everywhere' | 'tools'> {
  commands: CommandRule[]
  addresses: (RuleBody<Stricter> & { hosts: Wildcard[] })[]
  everywhere: (RuleBody<Stricter> & { pattern: Pattern; effects: Effect[] })[]
  tools: Map<string, Omit<ToolRule, 'deny' | 'allow'> & { deny: Wildcard[]; allow: Wildcard[] }>
}

/** The patterns were checked when the configuration was read; each is compiled again on first use. */
export function compileRules(file: RulesFile): Rules {
  const all = (sources: string[]) => sources.map(lateWildcard)
  return {
    ...file,
    commands: file.commands.map(({ programs, options = [], text, writes, ...rest }) => ({
      ...rest,
      programs: programs && all(programs),
      options,
      text: text && all(text),
      writes: writes && all(writes),
    })),
    addresses: file.addresses.map(({ hosts, ...rest }) => ({ ...rest, hosts: all(hosts) })),
    everywhere: file.everywhere.map(({ pattern, ...rest }) => {
      const compiled = whenAsked(() => compilePattern(pattern))
      return {
        ...rest,
        get pattern() {
          return compiled()
        },
      }
    }),
    tools: new Map(
      Object.entries(file.tools).map(([tool, { deny = [], allow = [], ...rest }]) => [
        tool,
        { ...rest, deny: all(deny), allow: all(allow) },
      ]),
    ),
  }
}

/** Compiled on first use. */
export function lateWildcard(source: string): Wildcard {
  const compiled = whenAsked(() => compileWildcard(source))
  return { fits: (text) => compiled().fits(text), mayFit: (text) => compiled().mayFit(text) }
}

function whenAsked<T>(make: () => T): () => T {
  let made: T | undefined
  return () => {
    made ??= make()
    return made
  }
}
