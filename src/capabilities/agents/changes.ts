import type { Config } from '../../config/config.ts'
import { settingsIn } from '../../config/section.ts'
import { Failure } from '../../kit/failure.ts'
import type { JsonObject } from '../../kit/json.ts'
import { dropNote, readNote, writeNote } from '../../store/notes.ts'
import type { Store } from '../../store/store.ts'
import { type AgentsSettings, agentsSection, settingsFor } from './settings.ts'
import { agentsWords } from './words.ts'

/** What was changed while the bot ran. It is laid over the configuration, as one's own agents.yaml is over the shipped one. */
const note = 'agents.changed'

/** By agent: its keys as in agents.yaml; `null` leaves one unset. */
type Changes = Record<string, JsonObject>

type Sections = Pick<Config, 'sections'>

async function readChanges({ db }: Pick<Store, 'db'>): Promise<Changes> {
  const text = await readNote(db, note)
  return text === undefined ? {} : (JSON.parse(text) as Changes)
}

/** What the files say, before it is checked. */
const inFiles = ({ sections }: Sections) => sections.agents as { agents?: Record<string, JsonObject> } | undefined

const isConfigured = (config: Sections, name: string): boolean => Object.hasOwn(inFiles(config)?.agents ?? {}, name)

/** Throws `bad_setting`. */
function settingsWith(config: Sections, changes: Changes): AgentsSettings {
  const files = inFiles(config)
  const agents = { ...files?.agents }
  for (const [name, change] of Object.entries(changes)) {
    const keys = Object.entries({ ...agents[name], ...change })
    agents[name] = Object.fromEntries(keys.filter(([, value]) => value !== null))
  }
  return settingsIn({ sections: { ...config.sections, [agentsSection.section]: { ...files, agents } } }, agentsSection)
}

interface Follower {
  config: Sections
  store: Pick<Store, 'db'>
  report(what: string): (thrown: unknown) => void
}

/** Does here what was changed, by this process or another. What doesn't fit the files any more is left out. */
export async function followChanges({ config, store, report }: Follower): Promise<void> {
  try {
    settingsFor(config).agents = (await settingsNow(config, store)).agents
  } catch (thrown) {
    report('changes of agents don’t fit the configuration')(thrown)
  }
}

/** The settings with what was changed. */
export const settingsNow = async (config: Sections, store: Pick<Store, 'db'>): Promise<AgentsSettings> =>
  settingsWith(config, await readChanges(store))

/** `file`: as agents.yaml says; `changed`: not any more; `added`: it isn't in the file. */
export async function whereFrom(config: Sections, store: Pick<Store, 'db'>) {
  const changes = await readChanges(store)
  return (name: string): 'file' | 'changed' | 'added' =>
    Object.hasOwn(changes, name) ? (isConfigured(config, name) ? 'changed' : 'added') : 'file'
}

/**
 * Changes an agent, or adds it; without `keys`, takes back what was changed. Other processes may do the same at the same
 * time. Throws `bad_agent`, `no_change`.
 */
export async function changeAgent(
  { config, store }: { config: Sections; store: Store },
  name: string,
  keys?: JsonObject,
): Promise<void> {
  await store.transaction(async (tx) => {
    await tx.alone(note)
    const { [name]: before, ...others } = await readChanges(tx)
    if (keys === undefined && before === undefined)
      throw new Failure('no_change', agentsWords.inTheFile({ name }), agentsWords.changeItThere())
    const changes: Changes = keys === undefined ? others : { ...others, [name]: { ...before, ...keys } }
    try {
      settingsWith(config, changes)
    } catch (thrown) {
      if (!(thrown instanceof Failure)) throw thrown
      throw new Failure('bad_agent', thrown.message.replace('agents.agents.', ''), '')
    }
    if (Object.keys(changes).length === 0) await dropNote(tx, note)
    else await writeNote(tx, note, JSON.stringify(changes))
    tx.changed('agents')
  })
}
