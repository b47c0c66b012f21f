import { type APIMessage, MessageFlags, type REST, Routes } from 'discord.js'
import { broken, type Finding, fine } from '../../../domain/finding.ts'
import { reasonOf } from '../../../kit/failure.ts'
import { discordWords } from '../words/words.ts'

/** Posts a message and deletes it. */
export async function* probeFindings(rest: REST, channel: string): AsyncGenerator<Finding> {
  let posted: APIMessage
  try {
    const body = {
      content: discordWords.probeText(),
      flags: MessageFlags.SuppressNotifications,
      allowed_mentions: { parse: [] },
    }
    posted = (await rest.post(Routes.channelMessages(channel), { body })) as APIMessage
  } catch (thrown) {
    yield broken(discordWords.probeNotPosted({ channel, reason: reasonOf(thrown) }))
    return
  }
  try {
    await rest.delete(Routes.channelMessage(channel, posted.id))
    yield fine(discordWords.probePosted({ channel }))
  } catch (thrown) {
    yield broken(
      discordWords.probeNotDeleted({ channel, reason: reasonOf(thrown) }),
      discordWords.probeNotDeletedRemedy(),
    )
  }
}
