import { z } from 'zod'
import { grantScopes } from '../domain/grant.ts'
import { exportFormats } from '../export/format.ts'
import { usageKeys } from '../store/usage-sums.ts'

/** A name from outside: printable, one line, not too long. */
const userId = z
  .string()
  .trim()
  .min(1)
  .max(64)
  .regex(/^[^\p{C}]+$/u, 'must be printable and one line')

const timeZone = z.string().refine(isTimeZone, 'must be an IANA time zone such as Europe/Berlin')

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}

export const chatBody = z.strictObject({
  message: z.string().default(''),
  project_id: z
    .string()
    .regex(/^[\p{L}\p{N}_-]{1,64}$/u, 'must be 1 to 64 letters, digits, - or _')
    .optional(),
  conversation_id: z.string().min(1).max(100).optional(),
  user_id: userId.optional(),
  time_zone: timeZone.optional(),
  replaces: z.coerce
    .number()
    .int()
    .min(1)
    .optional()
    .describe(
      'The event_id of a message of this conversation, to go back to: this one takes its place. Without `message` and files, it is answered again as it was',
    ),
  seen: z.coerce
    .number()
    .int()
    .min(0)
    .optional()
    .describe(
      'The last event_id of this conversation that the writer has seen. A question that was asked later isn’t answered by the message. Without `seen`, the message answers whatever question waits. With `replaces`, 409 `said_since` if somebody else has said something later',
    ),
})

/** Of an Idempotency-Key, in characters. */
export const longestKey = 200

export const signInBody = z.strictObject({ token: z.string().trim() })

export const personBody = z.strictObject({ user_id: userId.optional() })

export const feedbackBody = z.strictObject({
  message_id: z.string().min(1).max(100).describe('Of the answer, as its `message` event says'),
  value: z.enum(['good', 'bad']),
  reason: z.string().max(4000).optional().describe('In the person’s own words'),
  user_id: userId.optional(),
})

export const approvalBody = z
  .strictObject({
    decision: z.enum(['approve', 'deny']),
    reason: z.string().max(4000).optional(),
    instead: z.string().max(4000).optional().describe('With a denial: what to do instead'),
    always: z
      .strictObject({
        pattern: z.enum(['exact', 'wide']),
        scope: z.enum(grantScopes),
        for_ms: z.int().min(60_000).max(315_360_000_000).optional().describe('If missing, until it is revoked'),
      })
      .optional()
      .describe('With an approval: allow calls like this from now on'),
    user_id: userId.optional(),
  })
  .refine(({ decision, instead }) => decision === 'deny' || instead === undefined, '`instead` goes with `deny`')
  .refine(({ decision, always }) => decision === 'approve' || always === undefined, '`always` goes with `approve`')

const words = z.string().trim().min(1).max(20_000)

export const questionBody = z
  .strictObject({
    answer: z
      .union([words, z.literal(''), z.array(words).min(1).max(50)], { error: 'must be text, or a list of texts' })
      .optional()
      .describe('One or more option ids, or text; empty only in a form whose first question may go unanswered'),
    also: z
      .array(z.union([words, z.literal(''), z.array(words).max(50)]))
      .max(4)
      .optional()
      .describe('Answers to a form’s further questions, in order; empty text for one without an answer'),
    declined: z.literal(true).optional(),
    user_id: userId.optional(),
  })
  .refine(
    ({ answer, declined }) => (answer === undefined) === (declined === true),
    'send `answer`, or `declined: true`',
  )
  .refine(({ answer, also }) => answer !== '' || also !== undefined, 'send an `answer` with words in it')

/** An empty `?limit=` counts as none. */
const blank = (value: unknown) => (value === '' ? undefined : value)

const count = (byDefault: number, most: number) =>
  z.preprocess(blank, z.coerce.number().int().min(1).max(most).default(byDefault))

const cursor = (most: number) =>
  z.preprocess(blank, z.string().max(most).optional()).describe('`next_cursor` of the page before')

export const eventsQuery = z.object({
  from_sequence: z.preprocess(blank, z.coerce.number().int().min(0).default(0)),
  limit: count(1000, 10_000),
})

export const callsQuery = z.object({
  limit: count(100, 10_000),
  before: z.preprocess(blank, z.string().max(100).optional()).describe('Only those before this call'),
  turn_id: z.preprocess(blank, z.string().optional()).describe('Only those of this turn'),
})

/** One channel of a platform, or the channels of all platforms with this id. */
export const conversationsQuery = z
  .object({
    platform: z.string().optional(),
    tenant_id: z.string().optional(),
    project_id: z.string().optional(),
    q: z
      .preprocess(blank, z.string().trim().max(200).optional())
      .describe('Words in the title, or in one of the messages'),
    user_id: z.preprocess(blank, z.string().max(100).optional()).describe('Only those that this person began'),
    archived: z
      .preprocess(blank, z.enum(['true', 'false', 'any']).optional())
      .describe('Only archived ones, only the others, or both; without it, both with `q` and else the others'),
    cursor: cursor(100),
    limit: count(100, 1000),
  })
  .refine(
    ({ platform, tenant_id, project_id }) =>
      (platform === undefined) === (tenant_id === undefined) && (platform === undefined || project_id !== undefined),
    'send `platform`, `tenant_id` and `project_id` together, or `project_id` alone',
  )

export const threadBody = z
  .strictObject({
    title: z
      .string()
      .trim()
      .min(1)
      .max(200)
      .regex(/^[^\p{Cc}]+$/u, 'must be one line')
      .optional(),
    pinned: z.boolean().optional(),
    archived: z.boolean().optional().describe('A new message takes it back out of the archive'),
  })
  .refine((body) => Object.values(body).some((value) => value !== undefined), 'send `title`, `pinned` or `archived`')

export const exportQuery = z.object({ format: z.preprocess(blank, z.enum(exportFormats).default('md')) })

export const ignoredQuery = z.object({
  message: z.preprocess(blank, z.string().trim().min(1).max(500).optional()),
  cursor: cursor(1000),
  limit: count(100, 1000),
})

/** `part` counts a document's parts from 0; `as=text` asks for the text of something that is otherwise drawn. */
export const previewQuery = z.object({
  part: z.preprocess(blank, z.coerce.number().int().min(0).default(0)),
  as: z.preprocess(blank, z.literal('text').optional()),
})

export const requestsQuery = z.object({
  status: z.enum(['pending', 'answered', 'cancelled']).optional(),
  conversation_id: z.string().optional(),
  cursor: cursor(100),
  limit: count(100, 1000),
})

export const grantsQuery = z.object({
  conversation_id: z.preprocess(blank, z.string().max(100).optional()).describe('Only those that hold there'),
  limit: count(100, 1000),
})

export const usageQuery = z.object({
  by: z.enum(usageKeys).default('day').describe('What each line is about'),
  since: z.preprocess(blank, z.iso.date().optional()).describe('From this day on, in UTC'),
  conversation_id: z.preprocess(blank, z.string().max(100).optional()),
  limit: count(100, 1000),
})

const auditSeq = z.preprocess(blank, z.coerce.number().int().min(0).optional())

export const auditQuery = z.object({
  after: auditSeq.describe('Entries with higher numbers, from there on'),
  before: auditSeq.describe('The last entries with lower numbers'),
  limit: count(100, 1000),
  kind: z.preprocess(blank, z.string().max(50).optional()),
  conversation_id: z.preprocess(blank, z.string().max(100).optional()),
})

export const streamQuery = z.object({ last_event_id: z.coerce.number().int().min(0).optional() })
