import { auditHash, auditRoot, auditRows } from './audit.ts'
import type { Db } from './store.ts'
import type { AuditRow } from './trust-rows.ts'

/** The last entry of the log at some time, noted elsewhere: whoever can rewrite the whole log cannot rewrite that. */
export interface AuditHead {
  seq: number
  hash: string
}

/** `head` is the hash of the last entry, whose number is `entries`. `seq` is the first entry that is wrong or missing. */
export type AuditVerdict = { ok: true; entries: number; head: string } | { ok: false; seq: number; why: string }

/** Rows that are in memory at once. */
const pageRows = 1000

/**
 * Whether the log is whole: no entry missing, changed or moved. `noted` is a head from before: without one, a log that
 * was cut at its end, or written anew from some entry on, looks whole.
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
  }
  if (noted !== undefined && noted.seq > last.seq) {
    const why = `The log ends with entry ${last.seq}, and it once had ${noted.seq}: its end was cut off.`
    return { ok: false, seq: last.seq + 1, why }
  }
  return { ok: true, entries: last.seq, head: last.hash }
}

type Fault = { seq: number; why: string } | undefined

function fault(row: AuditRow, last: AuditHead): Fault {
  const next = last.seq + 1
  if (row.seq !== next) return { seq: next, why: `Entry ${next} is missing; after ${last.seq} comes ${row.seq}.` }
  if (row.previous !== last.hash) {
    const before = last.seq === 0 ? 'is not the first of a log' : `does not follow entry ${last.seq} as that is now`
    return { seq: row.seq, why: `Entry ${row.seq} ${before}.` }
  }
  if (row.hash !== auditHash(row)) return { seq: row.seq, why: `Entry ${row.seq} was changed.` }
  return undefined
}

function unlike(noted: AuditHead | undefined, row: AuditRow): Fault {
  if (noted === undefined || row.seq !== noted.seq || row.hash === noted.hash) return undefined
  const why = `Entry ${row.seq} is not the one that was noted: the log was written anew up to there.`
  return { seq: row.seq, why }
}
