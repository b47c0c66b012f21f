import type { InboxRow } from '../../../../src/store/schema.ts'
import type { Rows } from '../../check/rows.ts'
import type { Told } from '../account.ts'

/** The token of an inbox row's message; its key ends with the platform's message id. */
export function tokenOfKey(told: Told[]): (key: string) => string | undefined {
  const tokens = new Map(told.map(({ message, token }) => [message, token]))
  return (key) => tokens.get(key.slice(key.lastIndexOf(':') + 1))
}

/** By token: what people said, as the inbox has it. */
export function receivedOnPlatform(rows: Rows, told: Told[]): Map<string, InboxRow[]> {
  const token = tokenOfKey(told)
  const received = new Map<string, InboxRow[]>()
  for (const row of rows.inbox) {
    const of = token(row.dedup_key)
    if (of !== undefined) received.set(of, [...(received.get(of) ?? []), row])
  }
  return received
}
