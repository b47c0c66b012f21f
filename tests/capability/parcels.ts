import { z } from 'zod'
import { fine, mind } from '../../src/domain/finding.ts'
import { defineTool, type ToolContext } from '../../src/domain/tool.ts'
import type { Capability } from '../../src/turn/port/capability.ts'

// What an outside author would write: one module, and one line in config/bobbin.yaml.

const settings = z.strictObject({
  most: z.int().min(1).default(2).describe('Parcels that a thread may send'),
  account: z.string().optional().describe('Who pays for them'),
})

const input = z.strictObject({ to: z.string().min(1).describe('Whom it goes to') })

interface ParcelContext extends ToolContext {
  /** Sends one; false when the thread has sent enough. */
  send(to: string): boolean
}

const sendParcel = defineTool<z.infer<typeof input>, ParcelContext>({
  kind: 'run',
  name: 'send_parcel',
  description: 'Sends a parcel.',
  input,
  effect: 'external',
  async run({ to }, { send, tell }) {
    if (!send(to)) return 'No parcel was sent: there have been enough.'
    await tell('sent', { to })
    return `The parcel is on its way to ${to}.`
  },
})

export default function parcels(): Capability<z.infer<typeof settings>> {
  let most = 0
  const sent = new Map<string, string[]>()
  const sentIn = (session: string) => sent.get(session) ?? []
  return {
    name: 'parcels',
    title: 'Parcels',
    settings: { section: 'parcels', schema: settings },
    secrets: ({ account = '' }) => [{ name: 'parcel account', value: account }],
    tools: [sendParcel],
    context: ({ session }) => ({
      send(to: string) {
        if (sentIn(session.id).length >= most) return false
        sent.set(session.id, [...sentIn(session.id), to])
        return true
      },
    }),
    reminders: async ({ session }) => [`Parcels sent in this thread so far: ${sentIn(session.id).length}.`],
    commands: () => [
      {
        name: 'parcels',
        summary: 'the parcels of this thread',
        about: 'thread',
        run: async ({ session }) => `Parcels: ${sentIn(session.id).join(', ') || 'none'}.`,
      },
    ],
    events: { sent: z.object({ to: z.string() }) },
    async *checks(_, { most }) {
      yield most > 5 ? mind(`A thread may send ${most} parcels.`) : fine('Parcels are counted.')
    },
    start(_, own) {
      most = own.most
    },
    routes: () => async () => Response.json({ threads: sent.size }),
  }
}
