import { type Client, ofType } from '../support/client.ts'
import { until } from '../support/until.ts'

/** What the bot has said in a thread, oldest first, once it has posted what its last turn ended with. */
export const saidIn = (chat: Client, conversation: string): Promise<string[]> =>
  until('the answer in the thread', async () => {
    const events = await chat.events(conversation)
    const last = ofType(events, 'complete').at(-1)
    const said = ofType(events, 'message').filter(({ data }) => data.role === 'assistant')
    const isAnswered =
      last !== undefined &&
      said.some(({ event_id = 0, data }) => event_id > (last.event_id ?? 0) && data.turn_id === last.data.turn_id)
    return isAnswered && said.map(({ data }) => data.text)
  })
