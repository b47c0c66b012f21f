import { MessageType } from 'discord.js'
import type { Heard, ThreadRef } from '../../../domain/chat.ts'
import { messageInKey } from '../../../domain/keys.ts'
import { NotPosted } from '../../platform.ts'
import type { DiscordApi } from '../api/api.ts'
import { isPassing, tryAgainMs } from '../api/errors.ts'
import { knownMessages, pageSize } from '../api/messages.ts'
import { isSpoken, type Message } from '../api/payload.ts'
import type { Directory } from '../directory/directory.ts'
import type { PostTargets } from '../directory/post-targets.ts'
import { toHeard } from '../heard/translate.ts'
import { discordWords } from '../words/words.ts'

/** What was said in the thread before this message, oldest first, including the message that began the thread. */
export async function historyOf(
  { api, directory, targets }: { api: DiscordApi; directory: Directory; targets: PostTargets },
  thread: ThreadRef,
  before: string,
  limit: number,
): Promise<Heard[]> {
  const place = await orLater(targets.existing(thread))
  if (place === undefined || place.replyTo !== undefined) return []
  const found: Heard[] = []
  let from = messageInKey(before)
  while (found.length < limit) {
    const messages = await orLater(knownMessages(api, place.channel, { before: from }))
    const newestFirst = messages.toReversed()
    found.push(
      ...newestFirst
        .flatMap(unfoldStarter)
        .filter(isSpoken)
        .map((message) => toHeard(message, thread, directory)),
    )
    from = newestFirst.at(-1)?.id ?? from
    if (messages.length < pageSize) break
  }
  return found.slice(0, limit).reverse()
}

/** If a message began the thread, the thread's first entry only stands in for it. */
function unfoldStarter(message: Message): Message[] {
  if (message.type !== MessageType.ThreadStarterMessage) return [message]
  return message.referenced_message == null ? [] : [message.referenced_message]
}

/** If Discord didn't answer, it is asked later; if it refused, it isn't. */
const orLater = <T>(reading: Promise<T>): Promise<T> =>
  reading.catch((thrown: unknown) => {
    if (thrown instanceof NotPosted || !isPassing(thrown)) throw thrown
    throw new NotPosted('later', discordWords.discordUnreachable(), { cause: thrown, afterMs: tryAgainMs })
  })
