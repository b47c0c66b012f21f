import { Client } from '../../support/client.ts'
import type { Ledger } from '../ledger.ts'
import type { Stored } from '../stored.ts'
import { groupBy, readRows } from './rows.ts'

/** The API shows for every conversation what the rows say. */
export async function checkApi(url: string, stored: Stored, ledger: Ledger): Promise<void> {
  const client = new Client(url)
  const { events, sessions } = await readRows(stored)
  const known = groupBy(events, ({ session_id }) => session_id)
  for (const { id } of sessions) {
    const told = (await client.events(id)).map((event) => [event.event_id, event.type, event.data])
    const rows = known.get(id)?.map((row) => [row.id, row.type, row.data]) ?? []
    if (JSON.stringify(told) !== JSON.stringify(rows)) ledger.fault('shown', `the API tells something else of ${id}`)
  }
}
