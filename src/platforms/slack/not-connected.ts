import { type LiveOptions, type LiveReply, NotPosted } from '../platform.ts'
import { slackWords } from './words/words.ts'

export const notYet = () => new NotPosted('later', slackWords.stillConnecting(), { afterMs: 1_000 })

/** Without a connection, nothing can be shown or ended. */
export const notYetLive = ({ id, unsure }: LiveOptions): LiveReply => ({
  begun: id !== undefined || unsure,
  show: () => {},
  finish: async () => {
    throw notYet()
  },
  leave: async () => {},
})
