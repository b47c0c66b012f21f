import { expect, test } from 'vitest'
import type { People } from '../../src/platforms/slack/directory/people.ts'
import { unfold } from '../../src/platforms/slack/heard/unfold.ts'

function peopleWhoCount() {
  const asked: string[] = []
  const person = async (id: string) => {
    asked.push(id)
    return { id, name: `name of ${id}`, timeZone: undefined, team: undefined }
  }
  // Of everybody that a workspace knows, only the names are asked for.
  return { asked, people: { person } as Partial<People> as People }
}

test('for a message that names thousands of people, Slack is not asked about all of them', async () => {
  const { asked, people } = peopleWhoCount()
  const ids = Array.from({ length: 3_000 }, (_, index) => `U${index}`)
  const text = await unfold(`<@UBOT> ${ids.map((id) => `<@${id}>`).join(' ')}`, 'UBOT', people)
  expect(asked).toEqual(ids.slice(0, 50))
  expect(text).toMatch(/^@name of U0 .*@name of U49 @U50 .*@U2999$/)
})

test('spaces at the ends of lines are left out, and those in between stay', async () => {
  const { people } = peopleWhoCount()
  expect(await unfold(`a${' '.repeat(5)}b \t\n c\t \n`, 'UBOT', people)).toBe(`a${' '.repeat(5)}b\n c`)
})
