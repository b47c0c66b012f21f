import { type APIApplication, type APIApplicationCommand, type REST, Routes } from 'discord.js'
import { type Finding, fine, mind } from '../../../domain/finding.ts'
import { commandsFor } from '../interactions/command-list.ts'
import { discordWords } from '../words/words.ts'

/** Whether Discord offers the bot's commands, as this version has them. */
export async function* commandFindings(rest: REST, application: APIApplication): AsyncGenerator<Finding> {
  const registered = (await rest.get(Routes.applicationCommands(application.id))) as APIApplicationCommand[]
  const states = commandsFor(application).map((command) => {
    const same = registered.find(({ name, type }) => name === command.name && type === command.type)
    return { name: `“${command.name}”`, state: same === undefined ? 'missing' : has(same, command) ? 'there' : 'old' }
  })
  const named = (wanted: string): string =>
    states
      .filter(({ state }) => state === wanted)
      .map(({ name }) => name)
      .join(', ')
  const [there, missing, old] = [named('there'), named('missing'), named('old')]
  if (missing === '' && old === '') yield fine(discordWords.commandsRegistered({ there }))
  if (missing !== '') yield mind(discordWords.commandsMissing({ missing }), discordWords.registeredAtStartRemedy())
  if (old !== '') yield mind(discordWords.commandsOutdated({ old }), discordWords.registeredAtStartRemedy())
}

/** Whether Discord has what the bot told it. It adds fields of its own, and keeps no order of numbers. */
function has(theirs: unknown, ours: unknown): boolean {
  if (typeof ours !== 'object' || ours === null) return theirs === ours
  if (typeof theirs !== 'object' || theirs === null) return false
  if (Array.isArray(ours) && Array.isArray(theirs)) {
    if (ours.length !== theirs.length) return false
    if (ours.every((one) => typeof one === 'number')) return ours.every((one) => theirs.includes(one))
  }
  return Object.entries(ours).every(([name, value]) => has(theirs[name as keyof typeof theirs], value))
}
