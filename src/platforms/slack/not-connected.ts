import { type LiveOptions, type LiveReply, NotPosted } from '../platform.ts'

export const notYet = () => new NotPosted('later', 'Slack is not connected yet', { afterMs: 1_000 })

/** Without a connection, nothing can be shown or ended. */
export const notYetLive = ({ id, unsure }: LiveOptions): LiveReply => ({
  begun: id !== undefined || unsure,
  show: () => {},
  finish: async () => {
    throw notYet()
  },
  leave: async () => {},
})
