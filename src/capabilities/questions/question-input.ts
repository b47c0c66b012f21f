import { z } from 'zod'
import { listedIn, type QuestionOption, type QuestionPart } from '../../domain/question.ts'

// Whatever else a model sends with an option is ignored: a question that is asked beats one that is refused.
const option = z.object({
  id: z.string().min(1).max(75).optional().meta({ shown: 'elsewhere' }),
  label: z.string().min(1).max(75).describe('1 to 5 words'),
  description: z.string().optional(),
  estimated_time: z.string().optional(),
  estimated_cost: z.string().optional(),
  recommended: z.boolean().optional().describe('At most one'),
})

/** Options as the model gives them; a plain string is a label. */
export const optionFields = z.array(z.union([z.string().min(1).max(75), option]))

/**
 * Gives each option the id that its button carries: the model's own if they are all different, and none is the place of
 * another, because somebody who types 1 means the first one. A default that names options, by label or by the
 * model's ids, becomes what people are shown.
 */
export function toChoice(given: z.infer<typeof optionFields> = [], byDefault?: string, multiple = false) {
  const options = given.map((one) => (typeof one === 'string' ? { label: one } : one))
  const own = options.map((option) => ('id' in option ? option.id : undefined))
  const distinct = own.every((id) => id !== undefined) && new Set(own).size === own.length
  const misleads = own.some((id, index) => options[Number(id) - 1] !== undefined && Number(id) !== index + 1)
  const best = options.findIndex((option) => 'recommended' in option && option.recommended)
  const chosen: QuestionOption[] = options.map((option, index) => ({
    ...option,
    id: (distinct && !misleads && own[index]) || `option_${index + 1}`,
    recommended: index === best || undefined,
  }))
  /** The option that is called this, by its label or by an id that no other has. */
  const named = (name: string): QuestionOption | undefined => {
    const byLabel = chosen.find(({ label }) => label.toLowerCase() === name.toLowerCase())
    const index = own.indexOf(name)
    return byLabel ?? (index === own.lastIndexOf(name) ? chosen[index] : undefined)
  }
  const whole = named(byDefault?.trim() ?? '')
  const taken = whole === undefined && multiple ? listedIn(byDefault ?? '').map(named) : [whole]
  const isKnown = taken.every((option) => option !== undefined)
  const shown = isKnown && byDefault ? taken.map((option) => nameIn(chosen, option)).join(', ') : byDefault
  return { options: chosen, default: shown }
}

/** Its label, as people are shown what is taken, unless that would be read as several, or as another. */
function nameIn(options: QuestionOption[], option: QuestionOption): string {
  const { id, label } = option
  const meant = options.find((other) => other.id === label || other.label.toLowerCase() === label.toLowerCase())
  return listedIn(label)[0] === label && meant === option ? label : id
}

const weekMs = 604_800_000

const name = z.string().min(1).max(200)

/** Whom a question is for, and when they are reminded. */
export const peopleFields = {
  to: z
    .union([name, z.array(name).min(1).max(10)])
    .optional()
    .describe('Whose answer counts: names, or "starter"'),
  remind_after_ms: z
    .int()
    .min(60_000)
    .max(weekMs)
    .optional()
    .describe('Reminds them then, and later again, ever more rarely'),
}

/** The same in tools that are described after ask_human. */
export const peopleFieldsUnsaid = {
  to: peopleFields.to.meta({ shown: 'elsewhere' }),
  remind_after_ms: peopleFields.remind_after_ms.meta({ shown: 'elsewhere' }),
}

export const timeoutField = z.int().min(1000).max(weekMs).optional()

/** The same as a question holds it. */
export const toPeople = ({ to, remind_after_ms }: { to?: string | string[]; remind_after_ms?: number }) => ({
  to: typeof to === 'string' ? [to] : to,
  remind_ms: remind_after_ms,
})

const part = z
  .looseObject({
    question: z.string().min(1),
    options: optionFields.max(25).optional(),
    multiple: z.boolean().optional(),
    required: z.boolean().optional(),
  })
  .refine((one) => one.default === undefined, {
    message:
      'only the first question can have a default, which is taken at its deadline. Leave this one out, or ask this question by itself',
    path: ['default'],
  })

/** Further questions of a form. A plain string is one without options. */
export const alsoField = z
  .array(
    z.union([
      z
        .string()
        .min(1)
        .transform((question) => ({ question })),
      part,
    ]),
  )
  .max(4)

/** `required` is the default for those that don't say. */
export const toParts = (given: z.infer<typeof alsoField>, required: boolean): QuestionPart[] =>
  given.map((one) => ({
    question: one.question,
    options: toChoice('options' in one ? one.options : []).options,
    multiple: 'multiple' in one && one.multiple === true,
    required: 'required' in one ? (one.required ?? required) : required,
  }))
