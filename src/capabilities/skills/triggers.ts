import { z } from 'zod'
import { parseJson } from '../../kit/json.ts'
import type { SkillFacts } from '../../kit/skills/check.ts'
import type { SkillsSettings } from './settings.ts'

/** A tool that runs before the model is asked. */
const step = z.strictObject({ tool: z.string().min(1).max(128), input: z.record(z.string(), z.json()).default({}) })
const steps = z.array(step).max(10)
export type Step = z.infer<typeof step>

const triggerModes = ['keyword', 'semantic', 'hybrid'] as const

/** When a skill is loaded although nobody names it. */
export interface Triggers {
  mode: (typeof triggerModes)[number]
  /** Phrases with their weights. */
  phrases: ReadonlyMap<string, number>
  /** From this score on. */
  threshold: number
  /** Tools to run in this order; without any, the model reads the skill and decides. */
  steps: readonly Step[]
}

const thresholds = { keyword: 1, semantic: 0.3, hybrid: 0.5 }

/**
 * From the skill's metadata (`triggers: "merge pdf (2), split pdf"`, `trigger-mode`, `trigger-threshold`, `run`), and
 * from config/skills.yaml, which wins. Undefined for a skill without any.
 */
export function triggersOf({ metadata }: SkillFacts, own: OwnTriggers | undefined): Triggers | undefined {
  const mode = own?.triggerMode ?? triggerModes.find((one) => one === metadata['trigger-mode']) ?? 'keyword'
  const phrases = new Map([...phrasesIn(metadata.triggers ?? ''), ...Object.entries(own?.triggers ?? {})])
  const named = own?.triggerMode ?? metadata['trigger-mode']
  if (phrases.size === 0 && (named === undefined || mode === 'keyword')) return undefined
  const written = Number(metadata['trigger-threshold'])
  const threshold = own?.triggerThreshold ?? (written > 0 ? written : thresholds[mode])
  return { mode, phrases, threshold, steps: stepsIn(metadata.run) }
}

type OwnTriggers = NonNullable<ReturnType<SkillsSettings['skills']['get']>>

/** All phrases are looked for in each message. */
const mostCharacters = 4_000

function phrasesIn(text: string): [string, number][] {
  const parts = text.slice(0, mostCharacters).split(/[,;，；]/)
  // Half a phrase would be said more often than the whole.
  if (text.length > mostCharacters) parts.pop()
  return parts.flatMap((part): [string, number][] => {
    const whole = part.trim()
    const [written = '', weight = '1'] = /\((\d{1,6}(?:\.\d{1,6})?)\)$/.exec(whole) ?? []
    const phrase = whole.slice(0, whole.length - written.length).trim()
    return phrase === '' ? [] : [[phrase, Number(weight)]]
  })
}

/** What isn't a list of steps is none: the model decides then. */
function stepsIn(text: string | undefined): readonly Step[] {
  if (text === undefined) return []
  try {
    return steps.parse(parseJson(text))
  } catch {
    return []
  }
}
