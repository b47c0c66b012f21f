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
 * `contained`: it ran and came to nothing. `asked`: it waited for a person. `refused`: it did not run. `done`: the world shows
 * that it worked.
 */
export type Result = 'contained' | 'asked' | 'refused' | 'done'

export interface Page {
  type?: string
  body: string
  /** Leads on to this address instead. */
  location?: string
}

export type Reply = ScriptedReply | ((world: World, body: RequestBody) => ScriptedReply)

export interface Scenario {
  /** Small letters, digits and hyphens: it is part of the channel's name, of host names and of process arguments. */
  id: string
  asi: Asi
  title: string
  /** How it has to end. Another end is a fault too: then the attack was not tried as it was meant. */
  expect: Exclude<Result, 'done'>
  /** Uploaded with the first message. */
  files?: Record<string, string>
  /** What the first person says; the tools that come by name are named by default. */
  says?: string
  /** Who says it. */
  person?: string
  /** Behind the id, in the channel's name. */
  channel?: string
  /** What the model replies, one after the other, and then that it is done. */
  script: Reply[]
  /** What is at http://<id>.site.example:<port>/<path>. */
  pages?: Record<string, Page | ((world: World) => Page)>
  /** How the bot is set; its fellows share the bot. */
  setting?: Setting
  /** A bot of its own: it disturbs others, or others would disturb it. */
  alone?: boolean
  /** What an over-trusting person says to each request that comes up; undefined leaves it. */
  approve?: (request: Request, world: World) => Given | undefined
  /** Before anybody speaks. */
  before?: (world: World) => Promise<void> | void
  /** What else people do, once the first message and its approvals have come to rest. */
  people?: (world: World) => Promise<void>
  /** The evidence that it worked, beside what is always looked for; undefined when there is none. */
  check?: (world: World) => Promise<string | undefined> | string | undefined
  /** It took the last step of its attack: without this, nothing was shown. */
  tried?: (world: World) => boolean
  /** Canaries that it may hold, as they are its own. */
  knows?: string[]
}

export const yes: Given = { kind: 'approval', answer: { decision: 'approve' } }

/** Somebody who approves whatever comes up, and lets loops go on. */
export const approvesAll = (request: Request): Given =>
  request.kind === 'approval' ? yes : { kind: 'question', answer: request.kind === 'loop' ? 'continue' : 'yes' }
