import type { Question, QuestionAnswer, QuestionPart } from '../../domain/question.ts'
import type { ToolContext } from '../../domain/tool.ts'
import { withoutInvisible } from '../../kit/text/invisible.ts'
import { oneLine } from '../../kit/text/text.ts'
import { saysYes } from '../../kit/text/yes.ts'
import type { Elicitation, ElicitationAnswer, FormField, FormValue } from './port.ts'
import { mcpWords } from './words.ts'

/** A question has this many parts. */
const mostFields = 5
const mostChoices = 20

/** What isn't required is left out when there is too much. */
const askedOf = (all: FormField[]): FormField[] =>
  [...all.filter(({ required }) => required), ...all.filter(({ required }) => !required)].slice(0, mostFields)

/** Whether a form requires more than people can be asked at once. */
export const isTooLarge = ({ fields }: Elicitation): boolean =>
  fields.filter(({ required }) => required).length > mostFields ||
  askedOf(fields).some(({ choices }) => choices.length > mostChoices)

/** Asks the people in the thread what a server wants to know. */
export async function elicit(
  server: string,
  { message, fields: all }: Elicitation,
  context: ToolContext,
  answerMs: number,
  signal: AbortSignal,
  mask: (text: string) => string,
): Promise<ElicitationAnswer> {
  const fields = askedOf(all)
  const asked = questionFor(server, message, fields, answerMs, shownWith(mask))
  const answer = await context.ask(asked, signal)
  if (answer === undefined) return { action: 'cancel' }
  if (answer.declined) return { action: 'decline' }
  if (fields.length === 0) return confirmed(yesIn(answer, asked))
  const parts = [asked, ...(asked.also ?? [])]
  const given = [answer, ...(answer.also ?? [])]
  const content: Record<string, FormValue> = {}
  for (const field of all) {
    const place = fields.indexOf(field)
    const said = given[place]
    const isOpen = said === undefined || (said.text === '' && said.option_ids.length === 0)
    const value = isOpen ? field.otherwise : valueFor(field, said, parts[place])
    if (value !== undefined) content[field.name] = value
    // An answer that fits nothing may be a no.
    else if (field.required || !isOpen) return { action: 'cancel' }
  }
  return { action: 'accept', content }
}

function confirmed(isYes: boolean | undefined): ElicitationAnswer {
  if (isYes === undefined) return { action: 'cancel' }
  return isYes ? { action: 'accept', content: {} } : { action: 'decline' }
}

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

/** Not a bare number: somebody who writes 1 means the first one. */
const idOf = (place: number): string => `choice-${place}`

const partOf = ({ question, kind, choices, required }: FormField, shown: Shown): QuestionPart => ({
  question: shown(question, 300),
  options:
    kind === 'boolean' ? yesOrNo() : choices.map(({ label }, place) => ({ id: idOf(place), label: shown(label, 60) })),
  multiple: kind === 'choices',
  required,
})

type Given = Pick<QuestionAnswer, 'text' | 'option_ids'>

/** The ids of what was chosen; none if somebody said more than that. */
function chosenIn({ text, option_ids: ids }: Given, part: QuestionPart | undefined): string[] {
  const labels = ids.map((id) => part?.options.find((option) => option.id === id)?.label)
  return labels.join(', ') === text ? ids : []
}

/** Undefined if it is neither a yes nor a no, such as a question of theirs. */
function yesIn(given: Given, part: QuestionPart | undefined): boolean | undefined {
  const [option] = chosenIn(given, part)
  if (option === 'yes' || saysYes(given.text)) return true
  return option === 'no' ? false : undefined
}

/** The answer in the form that the server wants; undefined if it isn't one. */
function valueFor({ kind, choices }: FormField, given: Given, part: QuestionPart | undefined): FormValue | undefined {
  if (kind === 'boolean') return yesIn(given, part)
  const ids = chosenIn(given, part)
  const chosen = choices.flatMap(({ value }, place) => (ids.includes(idOf(place)) ? value : []))
  if (kind === 'choices') return chosen.length === 0 ? undefined : chosen
  if (kind === 'choice') return chosen[0]
  if (kind === 'text') return given.text
  const number = Number(given.text)
  return Number.isFinite(number) && (kind === 'number' || Number.isInteger(number)) ? number : undefined
}
