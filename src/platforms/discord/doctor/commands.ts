import { type APIApplication, type APIApplicationCommand, type REST, Routes } from 'discord.js'
import { type Finding, fine, mind } from '../../../domain/finding.ts'
import { commandsFor } from '../interactions/command-list.ts'
import { discordWords } from '../words/words.ts'

type Offered = Pick<APIApplicationCommand, 'name' | 'integration_types'>

/** A command, and for whom it is. */
const keyOf = ({ name, integration_types: types = [] }: Offered): string => `${name} ${types.toSorted()}`

/** Whether Discord offers the bot's commands. */
export async function* commandFindings(rest: REST, application: APIApplication): AsyncGenerator<Finding> {
  const registered = (await rest.get(Routes.applicationCommands(application.id))) as APIApplicationCommand[]
  const offered = new Set(registered.map(keyOf))
  const [there = '', missing = ''] = [true, false].map((known) =>
    commandsFor(application)
      .filter((command) => offered.has(keyOf(command)) === known)
      .map(({ name }) => `“${name}”`)
      .join(', '),
  )
  if (missing === '') yield fine(discordWords.commandsRegistered({ there }))
  else yield mind(discordWords.notRegisteredYet({ missing }), discordWords.botRegistersCommandsWhen())
}
