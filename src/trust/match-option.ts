import { listedIn, type QuestionAnswer, type QuestionPart } from '../domain/question.ts'

/** Matches an answer to the options by id, label or number; anything else is the person's own words. */
export function matchAnswer(
  question: QuestionPart,
  given: string | string[],
): Pick<QuestionAnswer, 'text' | 'option_ids'> {
  const parts = typeof given === 'string' ? splitWhere(question, given) : given
  const options = parts.map((part) => findOption(question, part))
  const labels = parts.map((part, index) => options[index]?.label ?? part.trim())
  return { text: labels.join(', '), option_ids: options.flatMap((option) => option?.id ?? []) }
}

/** "1, 3" picks two options where several may be chosen; elsewhere a comma is part of the text. */
function splitWhere(question: QuestionPart, given: string): string[] {
  const parts = listedIn(given)
  const allKnown = parts.length > 1 && parts.every((part) => findOption(question, part) !== undefined)
  return question.multiple && allKnown ? parts : [given]
}

function findOption(question: QuestionPart, part: string) {
  const wanted = part.trim().toLowerCase()
  const byName = question.options.find(({ id, label }) => id === part || label.toLowerCase() === wanted)
  return byName ?? (/^\d{1,2}$/.test(wanted) ? question.options[Number(wanted) - 1] : undefined)
}
