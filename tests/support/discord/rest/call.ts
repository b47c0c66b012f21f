import type { Context } from '../context.ts'
import type { Channel, Message, UploadedFile } from '../world/types.ts'
import type { Answer } from './answer.ts'
import { apiError } from './errors.ts'

/** A request as tests see it. `status` is missing until it is answered, if ever. */
export interface Call {
  method: string
  path: string
  query: Record<string, string>
  body: unknown
  /** Names of the files that came with it. */
  files: string[]
  at: number
  status?: number
}

/** A known, well-formed request on the way to its route. */
export interface Incoming<Body = Record<string, unknown>> {
  context: Context
  params: Record<string, string>
  query: URLSearchParams
  body: Body
  files: Map<string, UploadedFile>
}

export type Handler = (incoming: Incoming) => Answer

export const channelOf = ({ context, params }: Incoming): Channel => {
  const channel = context.world.channels.get(params.channel_id ?? '')
  if (channel === undefined) throw apiError(10003)
  return channel
}

export const messageOf = ({ context, params }: Incoming): Message => {
  const message = context.world.findMessage(params.channel_id ?? '', params.message_id ?? '')
  if (message === undefined || message.ephemeralTo !== undefined) throw apiError(10008)
  return message
}
