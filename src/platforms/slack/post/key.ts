import type { MessageMetadata } from '@slack/types'
import { z } from 'zod'
import type { SlackMessage } from '../api/payload.ts'

const eventType = 'bobbin'

/** What a message of ours carries where people don't see it. */
export const metadataOf = (key: string): MessageMetadata => ({ event_type: eventType, event_payload: { key } })

/** Ids of the tasks in a stream, which can't carry metadata before its end. */
export const taskId = (key: string, name: string): string => `${key}/${name}`

const tasks = z.object({ task_id: z.string() })
const planned = z.object({ type: z.literal('plan'), tasks: z.array(z.unknown()).default([]) })

const taskIdsIn = (blocks: unknown[]): string[] =>
  blocks
    .flatMap((block) => planned.safeParse(block).data?.tasks ?? [block])
    .flatMap((task) => tasks.safeParse(task).data?.task_id ?? [])

/** The key of a message of ours; undefined if it has none. */
export function keyOf({ metadata, blocks }: SlackMessage): string | undefined {
  if (metadata?.event_type === eventType) return String(metadata.event_payload.key)
  return taskIdsIn(blocks)
    .find((id) => id.includes('/'))
    ?.split('/')[0]
}
