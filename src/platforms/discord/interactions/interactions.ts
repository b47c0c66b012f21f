import { type APIInteraction, InteractionType } from 'discord.js'
import { reasonOf } from '../../../kit/failure.ts'
import type { Log } from '../../../kit/log.ts'
import { readCustomId } from '../cards/custom-id.ts'
import { dedupKeyOf } from '../directory/thread-refs.ts'
import { discordMessages } from '../text/discord-messages.ts'
import { discordWords } from '../words/words.ts'
import { takeClick } from './clicks.ts'
import { takeCommand } from './commands.ts'
import { isForDirect, takeInDirect } from './in-direct.ts'
import { type SubmissionDeps, takeForm } from './submissions.ts'
import { type WhoAndWhere, whoAsks } from './who.ts'

/** Clicks, choices, forms and commands. Whoever sent one hears of it, even if it failed. */
export async function takeInteraction(deps: SubmissionDeps & { log: Log }, interaction: APIInteraction): Promise<void> {
  try {
    await take(deps, interaction)
  } catch (thrown) {
    deps.log.error({ interaction: interaction.id, error: reasonOf(thrown) }, 'what a person did on Discord failed')
    await deps.respond.fail(interaction, thrown)
  }
}

async function take(deps: SubmissionDeps & { log: Log }, interaction: APIInteraction): Promise<void> {
  if (isForDirect(interaction, deps.directory)) return await takeInDirect(deps, interaction)
  const given = await whoAsks(interaction, deps.directory)
  if (given === undefined) return
  if (interaction.type === InteractionType.ApplicationCommand) return await takeCommand(deps, interaction, given)
  if (interaction.type !== InteractionType.MessageComponent && interaction.type !== InteractionType.ModalSubmit) return
  const id = readCustomId(interaction.data.custom_id)
  if (id === undefined) return await deps.respond.say(interaction, discordWords.unknownButton())
  if (interaction.type === InteractionType.ModalSubmit) return await takeForm(deps, interaction, id, given)
  if (id.action === 'stop') return await stop(deps, interaction, given, id.id)
  await takeClick(deps, interaction, id, given.actor)
}

async function stop(
  { sink, respond }: SubmissionDeps,
  interaction: APIInteraction,
  { actor, thread }: WhoAndWhere,
  turn: string,
) {
  const dedupKey = dedupKeyOf(actor, interaction.id)
  const command = { ...actor, dedupKey, name: 'stop', argument: '', thread, turn }
  const words = await respond.acknowledge(interaction, sink.command(command))
  for (const piece of discordMessages(words)) await respond.add(interaction, piece)
}
