import { type APIMessage, MessageFlags, type REST, Routes } from 'discord.js'
import { broken, type Finding, fine } from '../../../domain/finding.ts'
import { reasonOf } from '../../../kit/failure.ts'

/** Posts a message and deletes it. */
export async function* probeFindings(rest: REST, channel: string): AsyncGenerator<Finding> {
  let posted: APIMessage
  try {
    const body = {
      content: 'A test by `doctor`, deleted right away.',
      flags: MessageFlags.SuppressNotifications,
      allowed_mentions: { parse: [] },
    }
    posted = (await rest.post(Routes.channelMessages(channel), { body })) as APIMessage
  } catch (thrown) {
    yield broken(`No message can be posted in ${channel}: ${reasonOf(thrown)}.`)
    return
  }
  try {
    await rest.delete(Routes.channelMessage(channel, posted.id))
    yield fine(`A message was posted in ${channel} and deleted.`)
  } catch (thrown) {
    yield broken(`The test message in ${channel} could not be deleted: ${reasonOf(thrown)}.`, 'Delete it by hand.')
  }
}
