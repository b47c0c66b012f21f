import { Unavailable } from '../../kit/failure.ts'
import { storeWords } from '../words.ts'

type Kind = [codes: RegExp, code: string, message: () => string, remedy: () => string, passes?: false]

/** By PostgreSQL's codes and those of the operating system. The first that fits. */
const kinds: Kind[] = [
  [/^needs TLS$/, 'database_denied', storeWords.pgNeedsTls, storeWords.pgNeedsTlsRemedy],
  [/^no TLS$/, 'database_denied', storeWords.pgWithoutTls, storeWords.pgWithoutTlsRemedy],
  [/CERT|^UNABLE_TO_VERIFY|^ERR_(TLS|SSL)/, 'database_denied', storeWords.pgUntrusted, storeWords.pgUntrustedRemedy],
  [/^28/, 'database_denied', storeWords.pgDenied, storeWords.pgDeniedRemedy],
  [/^3D000$/, 'database_missing', storeWords.pgMissing, storeWords.pgMissingRemedy],
  [/^(42501|3F000)$/, 'database_denied', storeWords.pgNotAllowed, storeWords.pgNotAllowedRemedy],
  [/^53300$/, 'too_many_connections', storeWords.pgNoConnection, storeWords.pgNoConnectionRemedy],
  [/^(53100|58030)$/, 'disk_full', storeWords.pgDiskFull, storeWords.pgDiskFullRemedy],
  [/^25006$/, 'read_only', storeWords.pgReadOnly, storeWords.pgReadOnlyRemedy],
  [/^55P03$/, 'database_busy', storeWords.pgBusy, storeWords.pgBusyRemedy],
  [/^XX00[12]$/, 'database_damaged', storeWords.pgDamaged, storeWords.pgDamagedRemedy, false],
  [
    /^(08...|53...|57P0.|25P03|ECONN\w+|E(TIMEDOUT|HOSTUNREACH|NETUNREACH|PIPE|NOTFOUND|NOENT|ACCES)|ENOTFOUND|EAI_\w+|lost)$/,
    'database_unreachable',
    storeWords.pgUnreachable,
    storeWords.pgUnreachableRemedy,
  ],
]

/** What the library says without a code. */
const lost =
  /^(Connection terminated|Client has encountered a connection error|Client was closed|timeout (exceeded|expired)|Query read timeout)/

/** What the library or the server says with a code that doesn't tell. */
const says: [RegExp, string][] = [
  [/^no pg_hba\.conf entry for .*(no encryption|SSL off)$/s, 'needs TLS'],
  [/^The server does not support SSL/, 'no TLS'],
]

const codeOf = (thrown: Error): string => {
  const said = says.find(([text]) => text.test(thrown.message))
  if (said !== undefined) return said[1]
  if ('code' in thrown && typeof thrown.code === 'string') return thrown.code
  return lost.test(thrown.message) ? 'lost' : ''
}

/** What was thrown, as Unavailable if waiting or somebody's help may mend it. */
export function faultOf(thrown: unknown): unknown {
  if (!(thrown instanceof Error) || thrown instanceof Unavailable) return thrown
  // Several addresses of one name were tried.
  if (thrown instanceof AggregateError && thrown.errors.length > 0) return faultOf(thrown.errors[0])
  const known = kinds.find(([codes]) => codes.test(codeOf(thrown)))
  if (known === undefined) return thrown
  const [, code, message, remedy, passes = true] = known
  return new Unavailable(code, message(), remedy(), { cause: thrown, passes, isOfServer: true })
}

export const denied = (): unknown => faultOf(Object.assign(new Error('permission denied'), { code: '42501' }))

/** Whether it is unknown if the server has done what it was told last. */
export const isCut = (fault: unknown): boolean => fault instanceof Unavailable && fault.code === 'database_unreachable'

/** How often a transaction that ended with this is tried in all: another one was in its way. */
export function triesAfter(thrown: unknown): number {
  const code = thrown instanceof Error && 'code' in thrown ? String(thrown.code) : ''
  // They waited for each other.
  if (/^(40001|40P01)$/.test(code)) return 6
  // It looked for a row before another one had committed it, or removed it. Next time it finds out.
  return /^(23505|23503)$/.test(code) ? 3 : 1
}
