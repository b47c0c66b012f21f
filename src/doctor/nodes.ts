import { type Finding, fine, mind } from '../domain/finding.ts'
import type { NodeSeen } from '../store/see-nodes.ts'
import { doctorWords } from './words.ts'

export const beats = ({ pulse }: NodeSeen): boolean => pulse === 'beats'

/** Says who runs on the database. */
export function* nodeFindings(nodes: NodeSeen[]): Generator<Finding> {
  const running = nodes.filter(beats)
  const [only] = running
  const silent = nodes.filter(({ name, pulse }) => name !== undefined && !(pulse === 'beats'))
  const resting = running.filter(({ state }) => state !== 'working')
  if (only === undefined) yield fine(doctorWords.noNode())
  else if (nodes.length === 1) yield fine(doctorWords.oneNode({ only: placeOf(only) }))
  else {
    const counts = [`${silent.length} silent`, `${resting.length} draining or drained`].join(', ')
    yield fine(`${nodes.length} bots share it, ${counts}: ${running.map(wordsOf).join('; ')}.`)
  }
  for (const node of silent) {
    const said = node.pulse === 'ended' ? doctorWords.botEnded : doctorWords.botSilent
    yield mind(said({ node: wordsOf(node) }), doctorWords.deadNodeRemedy())
  }
  for (const node of resting) {
    const said = node.state === 'draining' ? doctorWords.botDraining : doctorWords.botDrained
    yield mind(said({ node: wordsOf(node) }), doctorWords.restingNodeRemedy())
  }
}

const placeOf = ({ pid, host }: NodeSeen): string => `process ${pid} on ${host}`

const wordsOf = (node: NodeSeen): string =>
  node.name === undefined ? placeOf(node) : `${node.name} (${placeOf(node)})`
