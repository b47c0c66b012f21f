import type { Question, QuestionPart } from '../../domain/question.ts'
import type { ToolContext } from '../../domain/tool.ts'
import { withoutInvisible } from '../../kit/text/invisible.ts'
import { oneLine } from '../../kit/text/text.ts'
import type { Elicitation, ElicitationAnswer, FormField, FormValue } from './port.ts'
import { mcpWords } from './words.ts'

/** A question has this many parts. */
const mostFields = 5
const mostChoices = 20

/** Asks the people in the thread what a server wants to know. */
export async function elicit(
  server: string,
  { message, fields: all }: Elicitation,
  context: ToolContext,
  answerMs: number,
  signal: AbortSignal,
  mask: (text: string) => string,
): Promise<ElicitationAnswer> {
  // What isn't required is left out when there is too much.
  const fields = [...all.filter(({ required }) => required), ...all.filter(({ required }) => !required)].slice(
    0,
    mostFields,
  )
  const isTooLong = all.filter(({ required }) => required).length > mostFields
  if (isTooLong || fields.some(({ choices }) => choices.length > mostChoices)) return { action: 'cancel' }
  const answer = await context.ask(questionFor(server, message, fields, answerMs, shownWith(mask)), signal)
  if (answer === undefined) return { action: 'cancel' }
  if (answer.declined) return { action: 'decline' }
  if (fields.length === 0) return accepted(answer.option_ids[0] ?? answer.text)
  const given = [answer, ...(answer.also ?? [])]
  const content: Record<string, FormValue> = {}
  for (const field of all) {
    const value = valueFor(field, given[fields.indexOf(field)]) ?? field.otherwise
    if (value !== undefined) content[field.name] = value
    else if (field.required) return { action: 'cancel' }
  }
  return { action: 'accept', content }
}

const accepted = (said: string): ElicitationAnswer =>
  said === 'no' ? { action: 'decline' } : { action: 'accept', content: {} }

type Shown = (text: string, most: number) => string

/** Masked before it is cut, because nobody would recognize a part of a secret. */
const shownWith =
  (mask: (text: string) => string): Shown =>
  (text, most) =>
    oneLine(mask(withoutInvisible(text)), most)

function questionFor(server: string, message: string, fields: FormField[], answerMs: number, shown: Shown): Question {
  const [first = confirmation(), ...also] = fields.map((field) => partOf(field, shown))
  return {
    ...first,
    ...(also.length > 0 && { also }),
    context: mcpWords.serverAsks({ server, message: shown(message, 1_000) }),
    timeout_ms: answerMs,
    required: false,
  }
}

const yesOrNo = () => [
  { id: 'yes', label: mcpWords.yes() },
  { id: 'no', label: mcpWords.no() },
]
const confirmation = (): QuestionPart => ({
  question: mcpWords.continueQuestion(),
  options: yesOrNo(),
  multiple: false,
  required: true,
})

const partOf = ({ question, kind, choices, required }: FormField, shown: Shown): QuestionPart => ({
  question: shown(question, 300),
  options:
    kind === 'boolean' ? yesOrNo() : choices.map(({ label }, place) => ({ id: `${place}`, label: shown(label, 60) })),
  multiple: kind === 'choices',
  required,
})

interface Given {
  text: string
  option_ids: string[]
}

/** The answer in the form that the server wants; undefined if it isn't one. */
function valueFor({ kind, choices }: FormField, given: Given | undefined): FormValue | undefined {
  if (given === undefined || (given.text === '' && given.option_ids.length === 0)) return undefined
  const chosen = given.option_ids.flatMap((id) => choices[Number(id)]?.value ?? [])
  if (kind === 'boolean') return { yes: true, no: false }[given.option_ids[0] ?? given.text.trim().toLowerCase()]
  if (kind === 'choices') return chosen.length === 0 ? undefined : chosen
  if (kind === 'choice') return chosen[0]
  if (kind === 'text') return given.text
  const number = Number(given.text)
  return Number.isFinite(number) && (kind === 'number' || Number.isInteger(number)) ? number : undefined
}
