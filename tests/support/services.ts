import { documentsSection } from '../../src/capabilities/documents/settings.ts'
import { loadConfig } from '../../src/config/load.ts'
import { settingsIn } from '../../src/config/section.ts'
import { shippedConfigDir } from '../../src/config/shipped.ts'
import { systemClock } from '../../src/kit/clock.ts'
import { practiceModel } from '../../src/kit/practice/practice-model.ts'
import { openSandbox } from '../../src/kit/sandbox/sandbox.ts'
import { Answerers } from '../../src/model/answerers.ts'
import { FormerCalls } from '../../src/outbound/former-calls.ts'
import { liveTextsHere } from '../../src/outbound/live-texts.ts'
import { Outages } from '../../src/outbound/outages.ts'
import { OutputStream } from '../../src/outbound/output-stream.ts'
import { Presenter } from '../../src/outbound/presenter.ts'
import { TextStream } from '../../src/outbound/text-stream.ts'
import type { Store } from '../../src/store/store.ts'
import { Capabilities } from '../../src/turn/hooks/capabilities.ts'
import type { TurnServices } from '../../src/turn/state/services.ts'
import { Suspects } from '../../src/turn/state/suspects.ts'
import { toolbox } from '../../src/turn/state/toolbox.ts'
import { builtinSections } from '../../src/wiring/capabilities.ts'
import { workspacesIn } from '../../src/workspace/workspaces.ts'
import { testWeb } from '../web/support.ts'
import { resting, rethrow } from './resting.ts'
import { rulesWith } from './rules.ts'
import { scratch } from './store.ts'

/** The services of a turn on a store, without an engine or a platform. */
export async function turnServices(store: Store): Promise<TurnServices> {
  const directory = await scratch()
  const loaded = loadConfig(
    { BOBBIN_DATA_DIR: directory, BOBBIN_CONFIG_DIR: shippedConfigDir },
    directory,
    builtinSections,
  )
  if ('complaints' in loaded) throw new Error(JSON.stringify(loaded.complaints))
  const { web } = testWeb()
  const platforms = new Map()
  const formerCalls = new FormerCalls(store.db, systemClock)
  const liveTexts = liveTextsHere(systemClock)
  const newMask = () => ({ push: (piece: string) => piece, end: () => '' })
  return {
    ...{ version: '0.0.0', config: loaded.config, store, engine: resting, clock: systemClock, platforms, web },
    rules: rulesWith(),
    isMember: async () => false,
    workspaces: workspacesIn(`${directory}/workspace`, rethrow),
    sandbox: openSandbox(),
    documents: {
      of: () => rethrow(new Error('nobody reads documents here')),
      clean: async () => {},
      recognize: () => rethrow(new Error('nobody reads scans here')),
      indexRecognized: async () => {},
      budgets: settingsIn(loaded.config, documentsSection).read,
    },
    often: () => {},
    whenDue: () => {},
    awakeSince: () => 0,
    learnSecrets: () => {},
    report: () => rethrow,
    capabilities: new Capabilities([], loaded.config, (_, __, thrown) => rethrow(thrown)),
    toolbox: toolbox([], {}, { web }),
    mayFind: () => false,
    answerers: new Answerers([{ slot: 'base', model: practiceModel(), price: undefined }], {
      afterFailures: 2,
      restMs: 1_000,
    }),
    models: new Map([['base', { model: practiceModel(), price: undefined }]]),
    offeredTo: async () => [],
    write: () => Promise.reject(new Error('nobody writes here')),
    embed: undefined,
    liveTexts,
    textStream: new TextStream({ store, liveTexts, flushMs: 1, report: rethrow, newMask }),
    outputStream: new OutputStream(store, rethrow, newMask),
    presenter: new Presenter({
      store,
      liveTexts,
      clock: systemClock,
      platforms,
      formerCalls,
      holder: 'node_a',
      readMs: 1_000,
      report: rethrow,
    }),
    formerCalls,
    outages: new Outages({ platforms, clock: systemClock, report: rethrow }),
    suspects: new Suspects(),
    holder: 'node_a',
    statuses: new Map(),
    fetch: () => Promise.reject(new Error('nothing is fetched here')),
    drop: async () => {},
  }
}
