import { createHash } from 'node:crypto'
import { serverBinding } from '../domain/grant.ts'
import type { CallId } from '../domain/ids.ts'
import type { Inspection } from '../domain/inspection.ts'
import type { Tool } from '../domain/tool.ts'
import type { Verdict } from '../domain/verdict.ts'
import type { Workspace } from '../domain/workspace.ts'
import { reasonOf } from '../kit/failure.ts'
import type { Json } from '../kit/json.ts'
import { exactly } from '../kit/patterns/pattern.ts'
import type { Sandbox } from '../kit/sandbox/port.ts'
import { throwOutage } from '../kit/unavailable.ts'
import { grantsFor } from '../store/grants.ts'
import { homeOf, type Session } from '../store/sessions.ts'
import type { Store } from '../store/store.ts'
import type { StoredTurn } from '../store/turns.ts'
import { bind } from './bind.ts'
import type { Judgement } from './judgement.ts'
import { hostsFor } from './own-check.ts'
import { pathsWritten, writesShown } from './paths-written.ts'
import { decide } from './policy.ts'
import type { Rules } from './rules.ts'
import { stricterRules } from './stricter.ts'
import type { Subject } from './subject.ts'
import { touchesUpload } from './touches-upload.ts'
import { untrustedFor } from './untrusted.ts'
import { aroundOf, type IsMember, isNamed, isOperatorsPlace, mayBeMeant } from './who.ts'
import { trustWords } from './words.ts'

export interface VerdictDeps {
  rules: Rules
  store: Store
  session: Session
  turn: StoredTurn
  call: CallId
  tools: Tool[]
  workspace: Workspace
  isMember: IsMember
  sandbox: Sandbox
  now: number
  /** Largest file a call may run, in bytes. */
  fileBytes: number
}

/** Looks up everything the policy needs, and asks it about a call. */
export async function judgeCall(tool: Tool, input: never, deps: VerdictDeps): Promise<Judgement> {
  const { inspection: seen, pinned, parts } = await bind(tool, inspect(tool, input), deps)
  const programs = tool.runsPrograms ? await containment(deps) : undefined
  const open = programs === 'uncontained' ? [trustWords.noSandboxHolds()] : []
  const whole = { ...seen, unclear: [...seen.unclear, ...open] }
  const { directory = '' } = whole
  const bound = [...(directory === '' ? [] : [directory]), ...parts]
  const ofTool = tool.identity === undefined ? '' : serverBinding(tool.identity)
  const binding = bound.length === 0 ? ofTool : sha256(ofTool, ...bound)
  // The hosts a call may reach are part of what is approved.
  const callHash = sha256(tool.name, JSON.stringify(input), binding, ...hostsFor(deps.rules, whole))
  const known: Known = {
    ...(programs && { programs }),
    scripts: pinned.map(({ bytes }) => Buffer.from(bytes).toString()),
    uploaded: await touchesUpload(tool.paths?.(input) ?? [], pathsWritten(whole), deps),
    barred: await whyBarred(tool.name, deps),
    untrusted: await untrustedFor(tool, whole, deps),
    grants: await grantsFor(
      deps.store.db,
      { session: homeOf(deps.session), thread: deps.session.thread },
      deps.now,
      tool.name,
    ),
    binding,
    hash: callHash,
  }
  const { verdict, inspection } = asShown(tool, input, whole, known, deps)
  const said =
    verdict.kind === 'ask' ? [verdict.decider, verdict.risk, ...inspection.unclear, ...(inspection.unseen ?? [])] : []
  return {
    verdict,
    hash: sha256(callHash, ...said),
    callHash,
    binding,
    inspection,
    writes: writesShown(inspection),
    pinned,
  }
}

/**
 * The verdict, and what it was made for. Nobody sees a secret on a card, so if people would decide on a program, what
 * only looks like one must not run unseen, nor again without asking.
 */
function asShown(
  tool: Tool,
  input: never,
  inspection: Inspection,
  known: Known,
  { rules, store }: VerdictDeps,
): Pick<Judgement, 'verdict' | 'inspection'> {
  const verdict = verdictOn(tool, input, inspection, rules, known)
  const texts = [...textsOf(input), ...(known.scripts ?? [])]
  if (!tool.runsPrograms || verdict.kind !== 'ask' || texts.every((text) => store.mask(text) === text))
    return { verdict, inspection }
  const unclear = { ...inspection, unclear: [...inspection.unclear, trustWords.partHidden()] }
  const again = verdictOn(tool, input, unclear, rules, known)
  return { verdict: again.kind === 'ask' ? { ...again, grants: undefined } : again, inspection: unclear }
}

/** What only the thread knows: a turn looks it up, `policy explain` assumes it. */
type Known = Pick<Subject, 'programs' | 'scripts' | 'uploaded' | 'barred' | 'untrusted' | 'grants' | 'binding' | 'hash'>

/** The policy's verdict on a call. Turns and `policy explain` both ask here. */
export function verdictOn(tool: Tool, input: never, inspection: Inspection, rules: Rules, known: Known): Verdict {
  const { name, effect, sends = false } = tool
  const own = tool.confirmed ? stricterRules(rules, { ask: [name], deny: {} }, name) : rules
  return decide(own, { tool: name, effect, sends, texts: textsOf(input), inspection, ...known })
}

/** Throws `no_sandbox`: nobody should have to approve what can't run. */
const containment = async ({ sandbox }: VerdictDeps) =>
  (await sandbox.facts()).kind === 'none' ? 'uncontained' : 'contained'

/** If a tool has no inspection of its own, its paths are matched, or its arguments. */
export function inspect(tool: Tool, input: never): Inspection {
  if (tool.inspect !== undefined) return tool.inspect(input)
  const paths = tool.paths?.(input)
  if (paths === undefined || paths.length === 0) return { subjects: [JSON.stringify(input)], unclear: [] }
  return { subjects: paths, wider: paths.map(exactly), unclear: [] }
}

function sha256(...parts: (string | Uint8Array)[]): string {
  const hash = createHash('sha256')
  // The lengths keep a byte from moving from one part into the next.
  for (const part of parts) hash.update(`${Buffer.byteLength(part)}:`).update(part)
  return hash.digest('hex')
}

function textsOf(input: Json): string[] {
  if (typeof input === 'string') return [input]
  if (typeof input !== 'object' || input === null) return []
  return Object.values(input).flatMap(textsOf)
}

/**
 * Why a tool may not be used here, or by somebody who wrote in this turn. All of them must be allowed, because their
 * words form one prompt.
 */
async function whyBarred(tool: string, { rules, store, session, turn, isMember }: VerdictDeps) {
  const { tenant, project } = session.thread
  const operator = isOperatorsPlace(session.thread)
  for (const rule of rules.use.filter(({ tools }) => tools.includes(tool) || tools.includes('*'))) {
    const why = (fact: string) => rule.reason ?? fact
    if (rule.tenants && !rule.tenants.includes(tenant)) return why(trustWords.tenantNotAllowed({ tool }))
    if (rule.channels && !rule.channels.includes(project)) return why(trustWords.projectNotAllowed({ tool }))
    if (rule.people === undefined) continue
    const around = await aroundOf(store.db, session, { turn: turn.id })
    for (const person of [...around.writers, ...around.answerers]) {
      try {
        const isLet = await isNamed(rule.people, { person, operator }, around, isMember)
        if (isLet) continue
        if (!mayBeMeant(rule.people, person, around))
          return why(trustWords.personNotAllowed({ name: person.name, tool }))
        const reason = trustWords.workspaceUnknown()
        return trustWords.personUnchecked({ name: person.name, tool, reason })
      } catch (thrown) {
        throwOutage(thrown)
        return trustWords.personUnchecked({ name: person.name, tool, reason: reasonOf(thrown) })
      }
    }
  }
  return undefined
}
