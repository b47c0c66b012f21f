import type { Person } from '../../domain/chat.ts'
import type { AskedQuestion, Question } from '../../domain/question.ts'
import { Failure } from '../../kit/failure.ts'
import { plainName } from '../../kit/text/text.ts'
import { findSession, homeOf, type Session } from '../../store/sessions.ts'
import type { Db } from '../../store/store.ts'
import { participantsOf } from '../../store/who-wrote.ts'

/** Finds the people a question is for, by the names the model reads. Throws `unknown_person`. */
export async function address(db: Db, session: Session, { to, ...question }: AskedQuestion): Promise<Question> {
  if (to === undefined || to.length === 0) return question
  // A subagent asks the people of its parent's thread: nobody has written in its own.
  const home = (await findSession(db, homeOf(session))) ?? session
  const known = [home.person, ...(await participantsOf(db, home))]
  const people = to.map((name) => (name === 'starter' ? home.person : personNamed(name, known)))
  return { ...question, to: [...new Map(people.map((person) => [person.id, person])).values()] }
}

function personNamed(name: string, known: Person[]): Person {
  const wanted = plainName(name.replace(/^@/, '')).toLowerCase()
  const found = known.filter((person) => plainName(person.name).toLowerCase() === wanted || person.id === name)
  const ids = new Set(found.map(({ id }) => id))
  const [person] = found
  if (person !== undefined && ids.size === 1) return person
  const names = [...new Set(known.map((one) => plainName(one.name)))].join(', ')
  throw new Failure(
    'unknown_person',
    ids.size > 1
      ? `There are several people called ${name} in this thread`
      : `Nobody called ${name} wrote in this thread`,
    `Ask one of: ${names}; or starter, who began it; or leave \`to\` out to ask everybody.`,
  )
}
