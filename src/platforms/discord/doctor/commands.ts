import { type APIApplicationCommand, type REST, Routes } from 'discord.js'
import { type Finding, fine, mind } from '../../../domain/finding.ts'
import { commands } from '../interactions/command-list.ts'
import { discordWords } from '../words/words.ts'

/** Whether Discord offers the bot's commands. */
export async function* commandFindings(rest: REST, application: string): AsyncGenerator<Finding> {
  const registered = (await rest.get(Routes.applicationCommands(application))) as APIApplicationCommand[]
  const names = new Set(registered.map(({ name }) => name))
  const [there = '', missing = ''] = [true, false].map((known) =>
    commands
      .filter(({ name }) => names.has(name) === known)
      .map(({ name }) => `“${name}”`)
      .join(', '),
  )
  if (missing === '') yield fine(discordWords.commandsRegistered({ there }))
  else yield mind(discordWords.notRegisteredYet({ missing }), discordWords.botRegistersCommandsWhen())
}
