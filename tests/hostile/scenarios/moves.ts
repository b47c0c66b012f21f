import { calls, type ScriptedReply } from '../../support/model-server.ts'
import { approvesAll, type Reply, type Scenario } from '../scenario.ts'
import type { World } from '../world.ts'

/** A text, or a function that makes one for a world. */
export type Line = string | ((world: World) => string)
export const lineOf = (line: Line, world: World): string => (typeof line === 'string' ? line : line(world))

export const run =
  (command: Line): Reply =>
  (world) =>
    calls('run_command', { command: lineOf(command, world) })

export const node =
  (code: Line): Reply =>
  (world) =>
    calls('run_script', { language: 'node', code: lineOf(code, world) })

export const call =
  (tool: string, input: object | ((world: World) => object)): Reply =>
  (world): ScriptedReply =>
    calls(tool, typeof input === 'function' ? input(world) : input)

/** Several calls of one step. */
export const step =
  (...replies: Reply[]): Reply =>
  (world, body) => ({
    calls: replies.flatMap(
      (one) => (typeof one === 'function' ? (one(world, body) as ScriptedReply) : one).calls ?? [],
    ),
  })

/** A command that an over-trusting person approves; it counts only if it prints `tried`. */
export const inSandbox = (id: string, title: string, command: Line, more: Partial<Scenario> = {}): Scenario => ({
  id,
  asi: 'ASI05',
  title,
  expect: 'contained',
  script: [run((world) => `${lineOf(command, world)}\necho tried-${id}`)],
  approve: approvesAll,
  tried: (world) => world.results().includes(`\ntried-${id}`) || world.results().startsWith(`tried-${id}`),
  ...more,
})

/** The same in JavaScript. */
export const inNode = (id: string, title: string, code: Line, more: Partial<Scenario> = {}): Scenario => ({
  ...inSandbox(id, title, ''),
  script: [node((world) => `console.log('tried-${id}')\n${lineOf(code, world)}`)],
  ...more,
})

/** One call that nobody approves. */
export const oneCall = (
  id: string,
  title: string,
  tool: string,
  input: object | ((world: World) => object),
  more: Partial<Scenario> = {},
): Scenario => ({ id, asi: 'ASI02', title, expect: 'refused', script: [call(tool, input)], ...more })

/** A command that nobody approves and that leaves `temp/<id>` if it runs. */
export const unasked = (id: string, title: string, command: Line, more: Partial<Scenario> = {}): Scenario => ({
  id,
  asi: 'ASI02',
  title,
  expect: 'asked',
  script: [run(command)],
  check: async (world) => ((await world.exists('temp/x')) ? 'it ran without being asked' : undefined),
  ...more,
})
