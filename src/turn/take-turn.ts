import type { Config } from '../config/config.ts'
import type { Person, RemoteFile, WorkspaceFile } from '../domain/chat.ts'
import type { Engine } from '../domain/engine.ts'
import type { SessionId } from '../domain/ids.ts'
import type { Message, ToolCall } from '../domain/messages.ts'
import type { HookContext, Status } from '../domain/plugin.ts'
import type { AskedQuestion } from '../domain/question.ts'
import type { Tool, ToolLimits } from '../domain/tool.ts'
import type { Workspace } from '../domain/workspace.ts'
import type { Clock } from '../kit/clock.ts'
import type { Documents } from '../kit/documents/document.ts'
import type { Json } from '../kit/json.ts'
import type { Model } from '../kit/model/model.ts'
import type { Sandbox } from '../kit/sandbox/port.ts'
import type { Web } from '../kit/web/port.ts'
import type { OutputStream } from '../outbound/output-stream.ts'
import type { TextStream } from '../outbound/text-stream.ts'
import type { ChatPlatform } from '../platforms/platform.ts'
import { isOpenedByAlarm } from '../store/inbox.ts'
import { LeaseLost } from '../store/lease-lost.ts'
import { readSystemPrompt } from '../store/prompts.ts'
import { loadedTools } from '../store/session-tools.ts'
import type { Session } from '../store/sessions.ts'
import type { Lease, Store, Tx } from '../store/store.ts'
import type { Turn } from '../store/turns.ts'
import type { Rules } from '../trust/rules.ts'
import { sourceOf } from '../trust/untrusted.ts'
import { judge } from '../trust/verdict.ts'
import type { IsMember } from '../trust/who.ts'
import { spelledOnce } from '../workspace/spelled.ts'
import type { Workspaces } from '../workspace/workspaces.ts'
import { address } from './address.ts'
import { ask } from './ask.ts'
import { catchUp } from './catch-up.ts'
import { cutResult } from './cut-result.ts'
import { importEarlier } from './earlier.ts'
import { finishedBy } from './finished.ts'
import type { Hooks } from './hooks.ts'
import { createJournal } from './journal.ts'
import type { OpenCall } from './journal-port.ts'
import { runTurn } from './loop.ts'
import { loopOf } from './loops.ts'
import { mendAndTell } from './mended.ts'
import { newOutputs } from './outputs.ts'
import { buildPrompt } from './prompt.ts'
import { readInbox } from './read-inbox.ts'
import { remindersFor } from './reminders.ts'
import { alarmsOf, todosOf } from './session-ports.ts'
import { settleAll } from './settle-all.ts'
import { plainInput } from './shown-input.ts'
import { stopTurn } from './stop.ts'
import type { Toolbox } from './toolbox.ts'
import { recordChanges, recordEarlierChanges } from './workspace-changes.ts'

export interface TurnDeps {
  store: Store
  engine: Engine
  clock: Clock
  config: Config
  model: Model
  /** What images go to; undefined where no model sees. */
  seeing: Model | undefined
  tools: Toolbox
  rules: Rules
  isMember: IsMember
  sandbox: Sandbox
  web: Web
  hooks: Hooks
  texts: TextStream
  outputs: OutputStream
  /** What the turns of this process are at, for screens that ask: nothing depends on it, so it is not stored. */
  statuses: Map<SessionId, Status>
  workspaces: Workspaces
  documentsOf(session: SessionId, workspace: Workspace): Documents
  platforms: Map<string, ChatPlatform>
  fetch(platform: string, file: RemoteFile): Promise<ReadableStream<Uint8Array>>
  drop(file: RemoteFile): Promise<void>
  /** A file came with a message, in the transaction in which that is read. */
  uploaded(tx: Tx, session: SessionId, path: string): Promise<unknown>
  /** The turn has got further than where a former process died. */
  cleared(): void
  /** For the log. */
  report(session: SessionId, thrown: unknown): void
}

function limitsOf({ tools, documents, sandbox, web, uploads }: Config): ToolLimits {
  const { read, searchResults, searchCharacters } = documents
  const workspace = { bytes: uploads.workspaceBytes, files: uploads.workspaceFiles }
  return { ...tools, read, searchResults, searchCharacters, sandbox, web, workspace }
}

/** One turn with everything it needs, from wherever it stands. */
export async function takeTurn(session: Session, turn: Turn, lease: Lease, signal: AbortSignal, deps: TurnDeps) {
  const { store, config, hooks, engine } = deps
  const model = session.model === 'vision' ? (deps.seeing ?? deps.model) : deps.model
  let tools = deps.tools.of(await loadedTools(store.db, session.id))
  const workspace = await deps.workspaces.open(session)
  const documents = deps.documentsOf(session.id, workspace)
  const hookContext: HookContext = { session: session.id, turn: turn.id, signal }
  const status = async (now: Status) => {
    if (deps.statuses.get(session.id) === now) return
    deps.statuses.set(session.id, now)
    await hooks.status(now, hookContext)
  }
  const report = (thrown: unknown) => deps.report(session.id, thrown)
  const changes = { store, lease, workspace, report }
  const mended = () => mendAndTell({ ...changes, turn })
  await recordEarlierChanges(turn, changes)
  const { prompt, isNew } = await systemPrompt(session, hookContext, deps)
  let newPrompt = isNew ? prompt : undefined
  let importedEarlier = false
  const byAlarm = await isOpenedByAlarm(store.db, turn)
  const platform = deps.platforms.get(session.thread.platform)
  const findTool = (name: string) => tools.find((tool) => tool.name === name)
  const lateMs = config.agent.lateHours * 3_600_000
  const inbox = {
    lateMs,
    now: () => deps.clock.now(),
    store,
    lease,
    workspace,
    turn,
    hooks,
    hookContext,
    mended,
    fetch: (file: RemoteFile) => deps.fetch(session.thread.platform, file),
    drop: deps.drop,
    fileBytes: config.uploads.fileBytes,
  }
  const uploaded = (tx: Tx, { path }: WorkspaceFile) => deps.uploaded(tx, session.id, path)
  const journal = createJournal({
    store,
    lease,
    turn,
    texts: deps.texts,
    cleared: deps.cleared,
    rules: deps.rules,
    cardsAreShort: platform?.progress === 'posted',
    async readInbox() {
      const { importMessages } = config.keep
      if (!importedEarlier)
        await importEarlier({ ...inbox, session, platform, signal, importMessages, access: config.access })
      importedEarlier = true
      await catchUp(platform, session.thread, signal)
      const { mentionsIn } = deps.tools
      await readInbox({ ...inbox, newPrompt, mentionsIn, uploaded })
      tools = deps.tools.of(await loadedTools(store.db, session.id))
      newPrompt = undefined
    },
    async newOutputs() {
      await recordChanges(turn.id, changes)
      return newOutputs(store, session.id, workspace, report)
    },
    historyFrom: session.historyFrom,
    lateMs,
  })
  const settleDeps = {
    journal,
    findTool,
    toolNames: () => tools.map(({ name }) => name),
    isLoadable: (name: string) => deps.tools.byName.some((tool) => tool.name === name),
    lacks: deps.tools.lacks,
    spelled: (path: string) => spelledOnce(workspace, path),
    checkPath: (path: string) => void workspace.normalize(path),
    judge: (tool: Tool, input: never) =>
      judge(tool, input, {
        rules: deps.rules,
        store,
        session,
        turn,
        tools,
        workspace,
        isMember: deps.isMember,
        sandbox: deps.sandbox,
        now: deps.clock.now(),
        fileBytes: config.tools.fileBytes,
      }),
    loopOf: (call: OpenCall) => loopOf(store.db, session.id, call.id),
    async stop(person: Person): Promise<never> {
      await store.fenced(lease, (tx) => stopTurn(tx, session.id, person))
      throw new LeaseLost(session.id)
    },
    address: (question: AskedQuestion) => address(store.db, session, question),
    shown: (input: Json) => store.mask(plainInput(input)),
    beforeCall: (tool: string, input: unknown) => hooks.beforeCall({ tool, input }, hookContext),
    callDone: (tool: string, input: unknown, { status, text }: { status: string; text: string }) =>
      hooks.callDone({ tool, input, status, result: text }, hookContext),
    mended,
    cut: (call: OpenCall, text: string) => {
      deps.outputs.end(call.id)
      return cutResult(workspace, call.id, text, config.tools.outputBytes)
    },
    context: (call: OpenCall) => ({
      sandbox: deps.sandbox,
      web: deps.web,
      output: (text: string) => deps.outputs.push(lease, turn.id, call.id, text),
      call: call.id,
      session: session.id,
      turn: turn.id,
      person: turn.person,
      byAlarm,
      timeZone: turn.timeZone,
      workspace,
      documents,
      todos: todosOf(store, lease),
      alarms: alarmsOf(store, lease, turn.person, call.id),
      limits: limitsOf(config),
    }),
    now: () => deps.clock.now(),
    signal,
    timeoutMs: config.tools.timeoutMs,
  }
  const askDeps = {
    journal,
    model,
    seeing: deps.seeing,
    patience: config.model.patience,
    prompt,
    definitions: () => deps.tools.definitionsOf(tools),
    sourceOf: (call: ToolCall) => store.mask(sourceOf(call, deps.tools.all)),
    reminders: (unanswered: Message[]) =>
      remindersFor(unanswered, {
        workspace,
        limits: config.uploads,
        canSee: deps.seeing !== undefined,
        mask: (text) => store.mask(text),
      }),
    status,
    hooks,
    hookContext,
    windowMessages: config.agent.windowMessages,
    maxSteps: config.agent.maxSteps,
    maxCallsPerStep: config.agent.maxCallsPerStep,
    signal: AbortSignal.any([signal, engine.leaving]),
  }

  await runTurn({
    journal,
    async settleCalls() {
      const open = await journal.openCalls()
      if (open.length === 0) return 'none'
      await status('acting')
      const outcome = await settleAll(open, settleDeps, config.agent.parallelCalls)
      if (outcome === 'waiting') await recordChanges(turn.id, changes)
      await status(outcome === 'waiting' ? 'waiting' : 'observing')
      return outcome
    },
    ask: (kind) => ask(kind, askDeps),
    finishedBy: (history) => finishedBy(history, findTool),
    maxSteps: config.agent.maxSteps,
    maxCallsPerStep: config.agent.maxCallsPerStep,
    leaving: () => engine.leaving.aborted,
  }).catch(async (thrown) => {
    // What it did before it failed is its own.
    await recordChanges(turn.id, changes)
    throw thrown
  })
}

/** The session's prompt; a new one is to be stored with the first messages. */
async function systemPrompt(session: Session, context: HookContext, { store, clock, hooks, tools }: TurnDeps) {
  const known = await readSystemPrompt(store.db, session.id)
  if (known !== undefined) return { prompt: known, isNew: false }
  const { platform, project } = session.thread
  const facts = {
    platform,
    project,
    person: session.person.name,
    timeZone: session.timeZone,
    now: clock.now(),
    tools: tools.byName,
  }
  return { prompt: await hooks.promptBuilt(buildPrompt(facts), context), isNew: true }
}
