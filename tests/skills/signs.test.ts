import { expect, test } from 'vitest'
import { byWords } from '../../src/capabilities/agents/by-words.ts'
import { agentsSection } from '../../src/capabilities/agents/settings.ts'
import { matchesFor } from '../../src/capabilities/skills/match.ts'
import type { Skill } from '../../src/capabilities/skills/skill.ts'

const phrases = ['🚀', '!!!', 'C#', 'C++ code', '+1', 'follow-up', 'sales + marketing', '#incident', '❤️']

/** Which of the phrases load their skill, and which choose their agent. */
function triggeredBy(message: string) {
  const facts = { name: '', description: '', allowedTools: [], metadata: {}, body: '' }
  const skillFor = (phrase: string): Skill => ({
    ...{ name: phrase, facts, source: 'team', isOn: true, fileTypes: [], findings: [] },
    triggers: { mode: 'keyword', phrases: new Map([[phrase, 1]]), threshold: 1, steps: [] },
    ...{ mark: async () => '', files: async () => new Map() },
  })
  const skills = phrases.filter((phrase) => matchesFor(message, [skillFor(phrase)]).length > 0)
  const off = { hand_over: false, by_meaning: false, routes: {} }
  const agents = phrases.filter((phrase) => {
    const one = { description: 'Works.', prompt: 'Work.', triggers: [phrase] }
    const settings = agentsSection.schema.parse({ ...off, by_words: true, agents: { one } })
    return byWords(message, settings) !== undefined
  })
  return { skills, agents }
}

test.each([
  ['🚀 ship it', ['🚀']],
  ['ship it🚀', ['🚀']],
  ['', []],
  ['👍', []],
  ['Now!!!', ['!!!']],
  ['Now!', []],
  ['I like c', []],
  ['I like C＃.', ['C#']],
  ['c++: look at the code', []],
  ['this C++ code', ['C++ code']],
  ['this c# code', ['C#']],
  ['1 of them', []],
  ['+1', ['+1']],
  ['Follow up!', ['follow-up']],
  ['Sales, marketing', ['sales + marketing']],
  ['an incident', ['#incident']],
  ['this #incident', ['#incident']],
  ['❤ it', ['❤️']],
])('signs of a phrase count as its words do: %s', (message, expected) => {
  expect(triggeredBy(message)).toEqual({ skills: expected, agents: expected })
})
