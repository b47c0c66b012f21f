import type { ThreadRef } from '../../../domain/chat.ts'
import { NotPosted } from '../../platform.ts'
import { chatWords } from '../../words/words.ts'
import { refusalIn } from '../api/errors.ts'
import { editMessage, endStream, type Mailer, wordsPage } from './message.ts'

/** Deletes a message of ours, even one that is still streaming. If it can't be deleted, it loses its buttons. */
export async function removeMessage(mailer: Mailer, thread: ThreadRef, ts: string): Promise<void> {
  const channel = thread.project
  const call = { bucket: 'chat.delete', channel, priority: 'answer', coalesce: ts } as const
  const remove = () => mailer.slack.api.write(call, (client) => client.chat.delete({ channel, ts }))
  try {
    await remove().catch(async (thrown) => {
      if (!stillStreams.includes(refusalIn(thrown) ?? '')) throw thrown
      await endStream(mailer, thread, ts)
      await remove()
    })
  } catch (thrown) {
    if (refusalIn(thrown) === 'message_not_found') return
    if (!(thrown instanceof NotPosted) || thrown.again === 'later') throw thrown
    await editMessage(mailer, thread, ts, wordsPage(chatWords.done()))
  }
}

const stillStreams = ['cant_delete_message', 'streaming_state_conflict']
