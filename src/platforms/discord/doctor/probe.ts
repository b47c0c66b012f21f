import { type APIMessage, MessageFlags, type REST, Routes } from 'discord.js'
import { broken, type Finding, fine } from '../../../domain/finding.ts'
import { reasonOf } from '../../../kit/failure.ts'
import { discordWords } from '../words/words.ts'

/** Posts a message and deletes it. */
export async function* probeFindings(rest: REST, channel: string): AsyncGenerator<Finding> {
  let posted: APIMessage
  try {
    const body = {
      content: discordWords.testDoctorDeletedRight(),
      flags: MessageFlags.SuppressNotifications,
      allowed_mentions: { parse: [] },
    }
    posted = (await rest.post(Routes.channelMessages(channel), { body })) as APIMessage
  } catch (thrown) {
    yield broken(discordWords.noMessageCanPosted({ channel, reason: reasonOf(thrown) }))
    return
  }
  try {
    await rest.delete(Routes.channelMessage(channel, posted.id))
    yield fine(discordWords.messagePostedDeleted({ channel }))
  } catch (thrown) {
    yield broken(discordWords.testMessageCouldNot({ channel, reason: reasonOf(thrown) }), discordWords.deleteHand())
  }
}
