import { type Finding, fine, mind } from '../domain/finding.ts'
import type { NodeSeen } from '../store/see-nodes.ts'

export const beats = ({ pulse }: NodeSeen): boolean => pulse === 'beats'

/** Says who runs on the database. */
export function* nodeFindings(nodes: NodeSeen[]): Generator<Finding> {
  const running = nodes.filter(beats)
  const [only] = running
  const silent = nodes.filter(({ name, pulse }) => name !== undefined && !(pulse === 'beats'))
  const resting = running.filter(({ state }) => state !== 'working')
  if (only === undefined) yield fine('No bot runs on it now.')
  else if (nodes.length === 1) yield fine(`A bot runs on it now (${placeOf(only)}).`)
  else {
    const counts = [`${silent.length} silent`, `${resting.length} draining or drained`].join(', ')
    yield fine(`${nodes.length} bots share it, ${counts}: ${running.map(wordsOf).join('; ')}.`)
  }
  for (const node of silent) {
    const what = node.pulse === 'ended' ? 'has ended without saying so' : 'is silent'
    yield mind(`The bot ${wordsOf(node)} ${what}.`, 'The others continue its work. Start it again.')
  }
  for (const node of resting) {
    const what = node.state === 'draining' ? 'is draining: it takes nothing new' : 'is drained: it takes no work'
    yield mind(`The bot ${wordsOf(node)} ${what}.`, 'Start it again to undo that, or stop it.')
  }
}

const placeOf = ({ pid, host }: NodeSeen): string => `process ${pid} on ${host}`

const wordsOf = (node: NodeSeen): string =>
  node.name === undefined ? placeOf(node) : `${node.name} (${placeOf(node)})`
