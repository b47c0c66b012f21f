import type { Request } from '../../src/domain/request.ts'
import { until } from '../support/until.ts'
import { openRoom, type Room, type RoomOptions } from './room.ts'
import { posting } from './stub.ts'

/** A card in a thread, as the core posts it. */
export async function cardOf(request: Request, roomOptions?: RoomOptions) {
  const room = await openRoom(roomOptions)
  const { mention, sink } = room
  sink.requests.set(request.id, request)
  const { thread } = await mention('ana', 'general', 'hello')
  const [page] = room.platform.pages({ kind: 'card', request })
  const id = await room.platform.post(thread, page, posting('card.0'))
  const shown = () => room.discord.view(thread.thread).find((message) => message.id === id)
  /** Shows the request as it is now. */
  const show = async (now: Request) => {
    sink.requests.set(now.id, now)
    const [next] = room.platform.pages({ kind: 'card', request: now })
    await room.platform.edit(thread, id, next)
  }
  return { ...room, platform: room.platform, room, thread, id, shown, show }
}

/** What only this person sees. */
export const told = (room: Room, thread: string, who: string) =>
  until(`words for ${who}`, () => room.discord.view(thread).find(({ ephemeralTo }) => ephemeralTo === who)?.content)
