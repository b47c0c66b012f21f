import type { Config } from '../../config/config.ts'
import { settingsIn } from '../../config/section.ts'
import { Failure } from '../../kit/failure.ts'
import type { JsonObject } from '../../kit/json.ts'
import { dropNote, notesFrom, readNote, writeNote } from '../../store/notes.ts'
import type { Store } from '../../store/store.ts'
import { type AgentsSettings, agentsSection, keepTenants, settingsFor } from './settings.ts'
import { agentsWords } from './words.ts'

/** What was changed while the bot ran. It is laid over the configuration, as one's own agents.yaml is over the shipped one. */
const note = 'agents.changed'

/** By agent: its keys as in agents.yaml; `null` leaves one unset. */
type Changes = Record<string, JsonObject>

/** What holds in one tenant only is a note of its own, and comes last. */
const noteOf = (tenant?: string): string => (tenant === undefined ? note : `${note}.in.${tenant}`)

type Sections = Pick<Config, 'sections'>

async function readChanges({ db }: Pick<Store, 'db'>, tenant?: string): Promise<Changes> {
  const text = await readNote(db, noteOf(tenant))
  return text === undefined ? {} : (JSON.parse(text) as Changes)
}

/** What the files say, before it is checked. */
const inFiles = ({ sections }: Sections) => sections.agents as { agents?: Record<string, JsonObject> } | undefined

const isConfigured = (config: Sections, name: string): boolean => Object.hasOwn(inFiles(config)?.agents ?? {}, name)

/** What is changed in a tenant is left out for agents that are gone. Throws `bad_setting`. */
function settingsWith(config: Sections, changes: Changes, ofTenant: Changes = {}): AgentsSettings {
  const files = inFiles(config)
  const agents = { ...files?.agents }
  const lay = (name: string, change: JsonObject) => {
    const keys = Object.entries({ ...agents[name], ...change })
    agents[name] = Object.fromEntries(keys.filter(([, value]) => value !== null))
  }
  for (const [name, change] of Object.entries(changes)) lay(name, change)
  for (const [name, change] of Object.entries(ofTenant)) if (Object.hasOwn(agents, name)) lay(name, change)
  return settingsIn({ sections: { ...config.sections, [agentsSection.section]: { ...files, agents } } }, agentsSection)
}

interface Follower {
  config: Sections
  store: Pick<Store, 'db'>
  report(what: string): (thrown: unknown) => void
}

/** Does here what was changed, by this process or another. What doesn't fit the files any more is left out. */
export async function followChanges({ config, store, report }: Follower): Promise<void> {
  const unlessFit = report('changes of agents don’t fit the configuration')
  try {
    const changes = await readChanges(store)
    const settings = settingsFor(config)
    const tenants = new Map<string, AgentsSettings>()
    for (const [name, value] of await notesFrom(store.db, noteOf('')))
      try {
        tenants.set(name.slice(noteOf('').length), settingsWith(config, changes, JSON.parse(value) as Changes))
      } catch (thrown) {
        unlessFit(thrown)
      }
    settings.agents = settingsWith(config, changes).agents
    keepTenants(settings, tenants)
  } catch (thrown) {
    unlessFit(thrown)
  }
}

/** The settings with what was changed. */
export const settingsNow = async (
  config: Sections,
  store: Pick<Store, 'db'>,
  tenant?: string,
): Promise<AgentsSettings> =>
  settingsWith(config, await readChanges(store), tenant === undefined ? {} : await readChanges(store, tenant))

/** `file`: as agents.yaml says; `changed`: not any more; `added`: it isn't in the file. `changed_here`: for this tenant. */
export async function whereFrom(config: Sections, store: Pick<Store, 'db'>, tenant?: string) {
  const everywhere = await readChanges(store)
  const here = tenant === undefined ? everywhere : await readChanges(store, tenant)
  return (name: string): { from: 'file' | 'changed' | 'added'; changed_here: boolean } => {
    const [isChanged, isChangedHere] = [everywhere, here].map((changes) => Object.hasOwn(changes, name))
    const changed = isConfigured(config, name) ? 'changed' : 'added'
    return { from: isChanged || isChangedHere ? changed : 'file', changed_here: isChangedHere === true }
  }
}

/**
 * Changes an agent, or adds it; without `keys`, takes back what was changed; with a tenant, only there. Other processes may
 * do the same at the same time. Throws `bad_agent`, `no_change`.
 */
export async function changeAgent(
  { config, store }: { config: Sections; store: Store },
  name: string,
  keys?: JsonObject,
  tenant?: string,
): Promise<void> {
  await store.transaction(async (tx) => {
    await tx.alone(note)
    const { [name]: before, ...others } = await readChanges(tx, tenant)
    if (keys === undefined && before === undefined)
      throw new Failure('no_change', agentsWords.inTheFile({ name }), agentsWords.changeItThere())
    const changes: Changes = keys === undefined ? others : { ...others, [name]: { ...before, ...keys } }
    try {
      if (tenant === undefined) settingsWith(config, changes)
      else settingsWith(config, await readChanges(tx), changes)
    } catch (thrown) {
      if (!(thrown instanceof Failure)) throw thrown
      throw new Failure('bad_agent', thrown.message.replace('agents.agents.', ''), '')
    }
    if (Object.keys(changes).length === 0) await dropNote(tx, noteOf(tenant))
    else await writeNote(tx, noteOf(tenant), JSON.stringify(changes))
    tx.changed('agents')
  })
}
