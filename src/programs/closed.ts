import { z } from 'zod'
import { type Need, needs } from '../domain/inspection.ts'
import type { SandboxResult } from '../kit/sandbox/port.ts'
import type { ClosedLimits } from './context.ts'
import { programsWords } from './words.ts'

/** How a model asks for what the closed sandbox doesn't provide. */
export const needsInput = z
  .array(z.enum(needs))
  .min(1)
  .optional()
  .describe(
    'Only after a result said that the closed sandbox lacked it. A person is asked. uploads: to write there; limits: more time, memory, processes or file size; network: the hosts that a rule names for this command',
  )

const readOnly = /read-only file system|\bEROFS\b|\[Errno 30\]/i

/** How common programs report that something was missing. */
const signs: [Need, RegExp][] = [
  ['uploads', readOnly],
  [
    'network',
    /network is unreachable|could not resolve host|(temporary failure in )?name resolution|name or service not known|\bENETUNREACH\b|\bEAI_AGAIN\b|\bENOTFOUND\b|unable to resolve host|no route to host/i,
  ],
  [
    'limits',
    /file size limit exceeded|file too large|\bEFBIG\b|no space left on device|\bENOSPC\b|cannot fork|resource temporarily unavailable/i,
  ],
]

/**
 * Why a failed command may have failed because its sandbox was closed, and what to do about it; undefined if nothing
 * points to that.
 */
export function missedIn(
  { by, exitCode, endedBy, stdout, stderr }: SandboxResult,
  wantedMs: number,
  /** What it could reach once approved. */
  hosts: readonly string[],
  closed: ClosedLimits,
): string | undefined {
  // A command that succeeded may have hidden the failure of one of its programs, but what it printed is its own.
  const isWell = by === 'itself' && exitCode === 0
  // Most failures print what matters last, as tracebacks do.
  const text = `${isWell ? '' : stdout.slice(-4_000)}\n${stderr.slice(-8_000)}`
  const ended =
    ['memory', 'processes'].includes(by) || endedBy === 'SIGXFSZ' || (by === 'timeout' && wantedMs > closed.timeoutMs)
  const missed = signs.filter(([need, sign]) => (need === 'limits' && ended) || sign.test(text)).map(([need]) => need)
  if (missed.length === 0) return undefined
  const asked = hosts.length > 0 ? missed : missed.filter((need) => need !== 'network')
  const more = asked.length === 0 ? [] : [askFor(asked)]
  return [...more, ...(asked.length < missed.length ? [programsWords.noHost()] : [])].join(' ')
}

function askFor(missed: Need[]): string {
  const [network, limits] = [missed.includes('network'), missed.includes('limits')]
  const about = {
    lacks: network && limits ? 'both' : network ? 'network' : limits ? 'limits' : 'none',
    needs: JSON.stringify(missed),
  }
  return missed.includes('uploads') ? programsWords.lackedPlaces(about) : programsWords.lackedMore(about)
}

/** Why an approved command may have failed: it can only write where file tools can. */
export const readOnlyIn = ({ stderr }: SandboxResult): string | undefined =>
  readOnly.test(stderr.slice(-8_000)) ? programsWords.writesOnlyTo() : undefined
