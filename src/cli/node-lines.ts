import { oneLine, visible } from '../kit/text/text.ts'
import type { NodeWork } from '../store/nodes.ts'
import type { NodeSeen } from '../store/see-nodes.ts'

/** One line for the process, and one for each thing that it does. */
export function nodeLines(node: NodeSeen, work: NodeWork | undefined, now: number): string[] {
  const { name = 'Bobbin', host, pid, version, startedAt } = node
  const facts = [
    ...(startedAt === undefined ? [] : [`since ${minuteOf(startedAt)}`]),
    `last beat ${beatOf(node, now)}`,
    `process ${pid} on ${host}`,
    ...(version === undefined ? [] : [`version ${version}`]),
  ]
  return [`${name.padEnd(12)} ${stateOf(node).padEnd(8)}  ${facts.join(', ')}`, ...workLines(work)]
}

function workLines({ turns, jobs, unposted }: NodeWork = { turns: [], jobs: [], unposted: 0 }): string[] {
  const lines = [
    ...turns.map(
      ({ session, title, startedAt }) => `turn  ${titleOf(title)}  (${session}, since ${minuteOf(startedAt)})`,
    ),
    ...jobs.map(({ kind, title }) => `job   ${kind}${title === undefined ? '' : `: ${titleOf(title)}`}`),
    ...(unposted === 0 ? [] : [`${unposted === 1 ? '1 message' : `${unposted} messages`} to post`]),
  ]
  return lines.map((line) => `    ${line}`)
}

const stateOf = ({ pulse, state }: NodeSeen): string => {
  if (pulse === 'beats') return state
  return pulse
}

function beatOf({ pulse, beatAt }: NodeSeen, now: number): string {
  const seconds = Math.round((now - beatAt) / 1_000)
  if (Math.abs(seconds) < 60 || pulse !== 'beats') return `${Math.max(0, seconds)} s ago`
  // It beats, so a clock is wrong: this machine's, or its own.
  return `just now (the clocks differ by ${Math.abs(seconds)} s)`
}

const minuteOf = (ms: number): string => new Date(ms).toISOString().slice(0, 16).replace('T', ' ')

const titleOf = (title: string): string => visible(oneLine(title, 60))
