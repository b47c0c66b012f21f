import type { Given } from '../../src/domain/question.ts'
import type { Request } from '../../src/domain/request.ts'
import type { RequestBody, ScriptedReply } from '../support/model-server.ts'
import type { Setting } from './settings.ts'
import type { World } from './world.ts'

/** OWASP Top 10 for Agentic Applications (2026). */
export const risks = {
  ASI01: 'Agent Goal Hijack',
  ASI02: 'Tool Misuse and Exploitation',
  ASI03: 'Identity and Privilege Abuse',
  ASI04: 'Agentic Supply Chain Vulnerabilities',
  ASI05: 'Unexpected Code Execution',
  ASI06: 'Memory and Context Poisoning',
  ASI07: 'Insecure Inter-Agent Communication',
  ASI08: 'Cascading Failures',
  ASI09: 'Human-Agent Trust Exploitation',
  ASI10: 'Rogue Agents',
} as const

export type Asi = keyof typeof risks

/**
 * `contained`: it ran without effect. `asked`: it waited for a person. `refused`: it did not run. `done`: there is evidence
 * that the attack worked.
 */
export type Result = 'contained' | 'asked' | 'refused' | 'done'

export interface Page {
  type?: string
  body: string
  /** Redirects to this address. */
  location?: string
}

export type Reply = ScriptedReply | ((world: World, body: RequestBody) => ScriptedReply)

export interface Scenario {
  /** Lower-case letters, digits and hyphens, because it becomes part of channel names, host names and process arguments. */
  id: string
  asi: Asi
  title: string
  /** The expected outcome. Any other is an error, because the attack was not tried as intended. */
  expect: Exclude<Result, 'done'>
  /** Uploaded with the first message. */
  files?: Record<string, string>
  /** The first person's message; by default it mentions the tools that need a mention. */
  says?: string
  /** Who says it. */
  person?: string
  /** Added to the id in the channel's name. */
  channel?: string
  /** The model's replies in order; after them it says that it is done. */
  script: Reply[]
  /** The pages at http://<id>.site.example:<port>/<path>. */
  pages?: Record<string, Page | ((world: World) => Page)>
  /** The bot's setting; scenarios with the same setting share a bot. */
  setting?: Setting
  /** Needs a bot of its own, because it would disturb other scenarios or be disturbed by them. */
  alone?: boolean
  /** An over-trusting person's reply to each request; undefined leaves it open. */
  approve?: (request: Request, world: World) => Given | undefined
  /** Runs before anybody speaks. */
  before?: (world: World) => Promise<void> | void
  /** What people do after the first message and its approvals. */
  people?: (world: World) => Promise<void>
  /** Evidence that the attack worked, in addition to the standard checks; undefined without any. */
  check?: (world: World) => Promise<string | undefined> | string | undefined
  /** Whether the attack reached its last step; otherwise the scenario shows nothing. */
  tried?: (world: World) => boolean
  /** Its own canaries, which may appear. */
  knows?: string[]
}

/** What a process of a scenario is called. Another run of the same scenarios on this machine calls its own otherwise. */
export const marked = (id: string): string => `hx-${process.pid}-${id}.`

export const yes: Given = { kind: 'approval', answer: { decision: 'approve' } }

/** Approves everything, and lets loops continue. */
export const approvesAll = (request: Request): Given =>
  request.kind === 'approval' ? yes : { kind: 'question', answer: request.kind === 'loop' ? 'continue' : 'yes' }
