import { z } from 'zod'
import { camel } from '../../config/camel.ts'
import type { Config } from '../../config/config.ts'
import { type SettingsSection, settingsIn } from '../../config/section.ts'

const count = z.int().min(0).max(100)
const words = z.array(z.string().trim().min(1).max(60)).default([])

const sign = z.strictObject({ steps: count.default(1), most: count.optional() })

const schema = z
  .strictObject({
    enabled: z.boolean().default(true).describe('false: no request is graded, and the model can’t make plans'),
    suggest_from: z.int().min(1).default(3).describe('From this many steps, a plan is suggested'),
    require_from: z.int().min(1).default(6).describe('From this many steps, nothing is changed before there is a plan'),
    plan_within: z
      .int()
      .min(1)
      .max(3_600)
      .default(5)
      .describe('Seconds after the first refusal; then the turn goes on without a plan'),
    ask: z
      .strictObject({
        more_steps_than: count.default(3),
        confidence_below: z.int().min(0).max(101).default(80).describe('Percent; 101 always asks'),
        vague: words.describe('Words that make a request vague; # stands for any number but a year'),
      })
      .prefault({})
      .describe('People are asked before a plan runs that has one of these'),
    run: z
      .strictObject({
        at_once: z.int().min(1).max(20).default(5).describe('Steps that run at the same time'),
        steps: z.int().min(1).max(50).default(15).describe('Model calls of one step'),
        attempts: z.int().min(1).max(5).default(2).describe('Attempts at a step that may be tried again'),
        minutes: z.int().min(1).max(1_440).default(20).describe('A step is abandoned after this long'),
        result_characters: z
          .int()
          .min(500)
          .default(12_000)
          .describe('How much of a result the step that needs it is given'),
      })
      .prefault({}),
    signs: z
      .strictObject({
        length: z.strictObject({ characters: z.int().min(1).default(100), steps: count.default(1) }).prefault({}),
        asks: sign.prefault({}),
        spans: sign.prefault({}),
        domains: sign.prefault({}),
        analysis: sign.prefault({}),
      })
      .prefault({})
      .describe('How many steps after the first a request seems to have'),
    words: z
      .strictObject({
        asks: words,
        analysis: words,
        spans: words,
        domains: z.record(z.string().min(1), words).default({}),
      })
      .prefault({}),
  })
  .prefault({})
  .transform(({ words: given, ask, run, ...rest }) => ({
    ...camel(rest),
    ask: camel(ask),
    run: camel(run),
    words: { ...given, domains: Object.values(given.domains) },
  }))

export type PlansSettings = z.output<typeof schema>

export const plansSection: SettingsSection<PlansSettings> = { section: 'plans', file: 'plans.yaml', schema }

const parsed = new WeakMap<object, PlansSettings>()

/** The settings of a bot, parsed once. */
export function settingsFor(config: Pick<Config, 'sections'>): PlansSettings {
  const settings = parsed.get(config.sections) ?? settingsIn(config, plansSection)
  parsed.set(config.sections, settings)
  return settings
}
