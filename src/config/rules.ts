import { z } from 'zod'
import { Failure } from '../kit/failure.ts'
import { compilePattern, compileWildcard } from '../kit/patterns/pattern.ts'

const action = z.enum(['allow', 'require_approval', 'deny'])
const stricter = z.enum(['require_approval', 'deny']).default('require_approval')
const risk = z.enum(['low', 'medium', 'high', 'critical'])
const reason = z.string().min(1)
const milliseconds = z.int().min(1000)
const ids = z.array(z.string().min(1)).min(1)

/** A string that is compiled when the configuration is read, so that mistakes show up then. */
const compiled = (compile: (source: string) => unknown) =>
  z
    .string()
    .min(1)
    .superRefine((source, context) => {
      try {
        compile(source)
      } catch (thrown) {
        if (!(thrown instanceof Failure)) throw thrown
        context.addIssue({ code: 'custom', message: `${thrown.message} ${thrown.remedy}` })
      }
    })

const expression = compiled((source) => compilePattern(source)).describe('An RE2 expression that may match anywhere')
const wildcard = compiled(compileWildcard).describe('Must match as a whole; * is any text; /…/ is an RE2 expression')
const wildcards = z.array(wildcard).min(1)

const who = z
  .string()
  .regex(/^(asker|participants|anyone|operator|user:\S+|group:\S+)$/, {
    message: 'must be asker, participants, anyone, operator, user:<id> or group:<id>',
  })
  .describe('asker, participants (who wrote in the thread), anyone, operator (at the console), user:<id>, group:<id>')

const decider = z.strictObject({
  who: z.array(who).min(1),
  asker: z
    .boolean()
    .default(true)
    .describe('false: whoever wrote in the turn may not decide, in whatever group they are'),
  needed: z.int().min(1).max(20).default(1).describe('How many different people must approve; one denial is enough'),
  remind_ms: milliseconds
    .optional()
    .describe('How often they are reminded; after three times ever more rarely, at most 32 times as long'),
  next: z
    .strictObject({ after_ms: milliseconds, decider: z.string().min(1) })
    .optional()
    .describe('Who is asked instead when nobody has decided by then'),
  deny_ms: milliseconds
    .optional()
    .describe('A request without a decision is denied after this time; if unset, it waits'),
})

/** Whether asking the next decider, and the next, leads back to the first. */
function goesRound(first: string, deciders: Record<string, { next?: { decider: string } }>): boolean {
  let name: string | undefined = first
  for (let steps = 0; name !== undefined && steps <= Object.keys(deciders).length; steps++) {
    name = Object.hasOwn(deciders, name) ? deciders[name]?.next?.decider : undefined
    if (name === first) return true
  }
  return false
}

export const rulesFile = z
  .strictObject({
    replaces: z
      .array(z.enum(['commands', 'addresses', 'everywhere']))
      .default([])
      .describe('Shipped lists that your own replace; otherwise your own items are added to them'),
    approvals: z
      .boolean()
      .describe(
        'false: nobody is asked for approval, except about commands where there is no sandbox. What the rules deny stays denied, and commands run in the closed sandbox',
      ),
    ask_from: risk.describe('Bobbin doesn’t ask about lower risks'),
    use: z
      .array(
        z.strictObject({
          tools: z.array(z.string().min(1)).min(1).describe('Names of tools; "*" is every tool'),
          people: z.array(who).min(1).optional().describe('Everybody who wrote in the turn must be among them'),
          channels: ids.optional(),
          tenants: ids.optional(),
          reason: reason.optional(),
        }),
      )
      .describe('Who may use what, where. Every rule for a tool must match'),
    commands: z.array(
      z
        .strictObject({
          programs: wildcards.optional(),
          options: z
            .array(z.array(z.string().min(1)).min(1))
            .optional()
            .describe('At least one of each list must be given'),
          text: wildcards.optional().describe('The whole command, with words quoted where necessary'),
          writes: wildcards.optional().describe('Where output is redirected to'),
          hosts: z
            .array(z.string().regex(/^(\*\.)?[a-z0-9.-]+$/))
            .optional()
            .describe('What it may reach when it runs. An empty list says that it wants network, and has none'),
          action: stricter,
          risk,
          reason,
        })
        .refine(
          ({ programs, text, writes }) => programs ?? text ?? writes,
          'names no programs, text or writes: it would fit nothing, or everything',
        ),
    ),
    unclear: z.strictObject({ action: stricter, risk, reason }).describe('Calls whose effect the rules can’t tell'),
    addresses: z.array(z.strictObject({ hosts: wildcards, action: stricter, risk, reason })),
    uploads: z.strictObject({ action, risk, reason }).describe('A file that a person uploaded would be changed'),
    everywhere: z.array(
      z.strictObject({
        pattern: expression,
        effects: z
          .array(z.enum(['read', 'write', 'external']))
          .min(1)
          .default(['write', 'external']),
        action: stricter,
        risk,
        reason,
      }),
    ),
    tools: z.record(
      z.string(),
      z.strictObject({
        approvals: z.boolean().default(true),
        deny: wildcards.optional(),
        allow: wildcards.optional(),
        mode: z.enum(['auto', 'confirm']).optional(),
        risk: risk.default('medium'),
        reason: reason.optional(),
        decider: z.string().min(1).optional(),
      }),
    ),
    defaults: z.strictObject({ read: action, write: action, external: action }),
    untrusted: z.strictObject({
      action: z.enum(['allow', 'require_approval', 'deny']),
      lasts: z.enum(['turn', 'thread']),
    }),
    deciders: z.record(z.string(), decider),
    questions: z
      .strictObject({
        who: z.array(who).min(1).describe('Who may answer a question that is addressed to nobody in particular'),
        remind_ms: milliseconds
          .optional()
          .describe('How often the people asked are reminded; after three times ever more rarely'),
        open_ms: milliseconds
          .optional()
          .describe('After this time those of `who` may also answer one that is addressed to certain people'),
        decline_ms: milliseconds.optional().describe('It counts as declined after this time; if unset, it waits'),
      })
      .describe('Questions of the bot; what it sets for a single question takes precedence'),
    decide: z.strictObject({ low: z.string(), medium: z.string(), high: z.string(), critical: z.string() }),
  })
  .superRefine((file, context) => {
    const named: [(string | number)[], string][] = [
      ...Object.entries(file.decide).map(([level, name]): [string[], string] => [['decide', level], name]),
      ...Object.entries(file.tools).flatMap(([tool, rule]): [string[], string][] =>
        rule.decider === undefined ? [] : [[['tools', tool, 'decider'], rule.decider]],
      ),
      ...Object.entries(file.deciders).flatMap(([name, { next }]): [string[], string][] =>
        next === undefined ? [] : [[['deciders', name, 'next', 'decider'], next.decider]],
      ),
    ]
    for (const [name, { who, asker, needed }] of Object.entries(file.deciders)) {
      const onlyPeople = who.every((word) => /^(user:|asker$|operator$)/.test(word))
      const possible = new Set(who.filter((word) => asker || word !== 'asker')).size
      if (!onlyPeople || possible >= needed) continue
      const message = `nobody can ever decide this: ${possible} can, and ${needed} are needed`
      context.addIssue({ code: 'custom', path: ['deciders', name], message })
    }
    for (const name of Object.keys(file.deciders)) {
      if (!goesRound(name, file.deciders)) continue
      const message = 'asks others who ask others until it comes back: one of them must have no `next`'
      context.addIssue({ code: 'custom', path: ['deciders', name, 'next'], message })
    }
    for (const [path, name] of named) {
      if (Object.hasOwn(file.deciders, name)) continue
      const message = `there is no decider ${JSON.stringify(name)}; there are: ${Object.keys(file.deciders).join(', ')}`
      context.addIssue({ code: 'custom', path, message })
    }
  })

export const toolsFile = z.strictObject({
  tools: z.record(
    z.string(),
    z.strictObject({
      enabled: z.boolean().default(true).describe('false: the bot does not have it'),
      always_available: z.boolean().optional().describe('false: only in threads where a person has named it'),
      rounds: z
        .int()
        .min(1)
        .optional()
        .describe('How many model calls its results are sent with; if unset, as long as there is room'),
      category: z.string().min(1).optional(),
      tags: z
        .array(z.string())
        .optional()
        .describe('With `code` or `vision`, only the model of that slot has it, if there is one'),
      timeout_ms: milliseconds
        .optional()
        .describe(
          'If unset, its own, or `tools.timeout_ms` of bobbin.yaml. For commands and scripts, see `sandbox` there',
        ),
      description: z.string().optional().describe('Replaces the tool’s own description for the model'),
    }),
  ),
})
