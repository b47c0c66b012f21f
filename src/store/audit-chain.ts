import { setImmediate } from 'node:timers/promises'
import { auditHash, auditRoot, auditRows } from './audit.ts'
import type { Db } from './store.ts'
import type { AuditRow } from './trust-rows.ts'
import { storeWords } from './words.ts'

/**
 * The log's last entry at some earlier time, kept elsewhere: somebody who rewrites the whole log can't rewrite this.
 */
export interface AuditHead {
  seq: number
  hash: string
}

/**
 * `head` is the hash of the last entry, whose number is `entries`. `seq` is the first entry that is wrong or missing.
 */
export type AuditVerdict = { ok: true; entries: number; head: string } | { ok: false; seq: number; why: string }

/** Checking this many takes a few milliseconds. */
const pageRows = 200

/**
 * Whether the log is complete: no entry missing, changed or moved. `noted` is an earlier head. Without it, a log that
 * was cut off or rewritten up to its end still looks complete.
 */
export async function verifyAudit(db: Db, noted?: AuditHead): Promise<AuditVerdict> {
  let last: AuditHead = { seq: 0, hash: auditRoot }
  for (;;) {
    const page = await auditRows(db, last.seq, pageRows)
    for (const row of page) {
      const wrong = fault(row, last) ?? unlike(noted, row)
      if (wrong !== undefined) return { ok: false, ...wrong }
      last = row
    }
    if (page.length < pageRows) break
    // SQLite answers within the same turn of the event loop, so that a long log would hold up everything else.
    await setImmediate()
  }
  if (noted !== undefined && noted.seq > last.seq) {
    const why = storeWords.auditEndMissing({ seq: last.seq, seq2: noted.seq })
    return { ok: false, seq: last.seq + 1, why }
  }
  return { ok: true, entries: last.seq, head: last.hash }
}

type Fault = { seq: number; why: string } | undefined

function fault(row: AuditRow, last: AuditHead): Fault {
  const next = last.seq + 1
  if (row.seq !== next) return { seq: next, why: storeWords.auditEntryMissing({ next, seq: last.seq, seq2: row.seq }) }
  if (row.previous !== last.hash) {
    const before = last.seq === 0 ? 'isn’t the first of a log' : `doesn’t match entry ${last.seq}`
    return { seq: row.seq, why: storeWords.entry({ seq: row.seq, before }) }
  }
  if (row.hash !== auditHash(row)) return { seq: row.seq, why: storeWords.entryChanged({ seq: row.seq }) }
  return undefined
}

function unlike(noted: AuditHead | undefined, row: AuditRow): Fault {
  if (noted === undefined || row.seq !== noted.seq || row.hash === noted.hash) return undefined
  const why = storeWords.auditRewritten({ seq: row.seq })
  return { seq: row.seq, why }
}
