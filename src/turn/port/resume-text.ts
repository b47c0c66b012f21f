import type { Person } from '../../domain/chat.ts'
import type { Message } from '../../domain/messages.ts'
import { plainName } from '../../kit/text/text.ts'

const toContinue = '[The program] Continue where you were interrupted.'

/** What the model reads when somebody has a turn continued, or its message answered again. */
export const resumeText = ({ person, again }: { person: Person; again?: boolean }): string =>
  again === true
    ? `[The program] ${plainName(person.name)} asks you to answer the last message again: take a fresh look at it.`
    : toContinue

export const asksAgain = (message: Message): boolean =>
  message.role === 'user' && message.origin === 'resume' && message.text !== toContinue
