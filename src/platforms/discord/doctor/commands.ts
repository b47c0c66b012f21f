import { type APIApplication, type APIApplicationCommand, type REST, Routes } from 'discord.js'
import { type Finding, fine, mind } from '../../../domain/finding.ts'
import { commandsFor } from '../interactions/command-list.ts'
import { stateOf } from '../receive/register-commands.ts'
import { discordWords } from '../words/words.ts'

/** Whether Discord offers the bot's commands, as this version has them. */
export async function* commandFindings(rest: REST, application: APIApplication): AsyncGenerator<Finding> {
  const registered = (await rest.get(Routes.applicationCommands(application.id))) as APIApplicationCommand[]
  const states = commandsFor(application).map((command) => ({
    name: `“${command.name}”`,
    state: stateOf(command, registered),
  }))
  const named = (wanted: string): string =>
    states
      .filter(({ state }) => state === wanted)
      .map(({ name }) => name)
      .join(', ')
  const [there, missing, different] = [named('there'), named('missing'), named('different')]
  if (missing === '' && different === '') yield fine(discordWords.commandsRegistered({ there }))
  if (missing !== '') yield mind(discordWords.commandsMissing({ missing }), discordWords.registeredAtStartRemedy())
  if (different !== '') yield mind(discordWords.commandsDiffer({ different }), discordWords.registeredAtStartRemedy())
}
