import { type APIApplicationCommandInteraction, ApplicationCommandOptionType, ApplicationCommandType } from 'discord.js'
import type { InboundSink } from '../../inbound-sink.ts'
import { dedupKeyOf } from '../directory/thread-refs.ts'
import { discordMessages } from '../text/discord-messages.ts'
import { askCommand } from './command-list.ts'
import { askForm } from './forms.ts'
import type { Respond } from './respond.ts'
import type { WhoAndWhere } from './who.ts'

/** For a reply that only one person sees. */
export const mostPieces = 5

/** `/bobbin status`, or a command in the menu of a message. */
export async function takeCommand(
  { sink, respond }: { sink: InboundSink; respond: Respond },
  interaction: APIApplicationCommandInteraction,
  { actor, thread }: WhoAndWhere,
): Promise<void> {
  const { data } = interaction
  if (data.type === ApplicationCommandType.Message && data.name === askCommand) {
    return await respond.form(interaction, askForm(data.target_id))
  }
  if (data.type !== ApplicationCommandType.ChatInput) return
  const { name, argument } = readOptions(data.options)
  const words = sink.command({ ...actor, dedupKey: dedupKeyOf(actor, interaction.id), name, argument, thread })
  await respond.answer(
    interaction,
    words.then((said) => discordMessages(said).slice(0, mostPieces)),
  )
}

type Options = Extract<APIApplicationCommandInteraction['data'], { type: ApplicationCommandType.ChatInput }>['options']

/** The subcommand, and what follows it. */
export function readOptions(options: Options): { name: string; argument: string } {
  const part = options?.find(({ type }) => type === ApplicationCommandOptionType.Subcommand)
  const name = part?.name ?? 'help'
  const given = part !== undefined && 'options' in part ? part.options?.[0] : undefined
  return { name, argument: given !== undefined && 'value' in given ? String(given.value) : '' }
}
