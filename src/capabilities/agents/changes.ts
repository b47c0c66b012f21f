import type { Config } from '../../config/config.ts'
import { settingsIn } from '../../config/section.ts'
import { Failure } from '../../kit/failure.ts'
import type { JsonObject } from '../../kit/json.ts'
import { dropNote, notesFrom, readNote, writeNote } from '../../store/notes.ts'
import type { Store } from '../../store/store.ts'
import { type AgentsFile, type Changes, fitting, laidOver, type Misfits } from './fitting.ts'
import { type AgentsSettings, agentsSection, keepTenants, settingsFor } from './settings.ts'
import { agentsWords } from './words.ts'

/**
 * What was changed while the bot ran. It is laid over the configuration, as one's own agents.yaml is over the shipped
 * one.
 */
const note = 'agents.changed'

/** What holds in one tenant only is a note of its own, and comes last. */
const noteOf = (tenant?: string): string => (tenant === undefined ? note : `${note}.in.${tenant}`)

type Sections = Pick<Config, 'sections'>

/** What was changed in single tenants. */
async function readTenants({ db }: Pick<Store, 'db'>): Promise<[tenant: string, Changes][]> {
  const notes = await notesFrom(db, noteOf(''))
  return notes.map(([name, value]) => [name.slice(noteOf('').length), JSON.parse(value) as Changes])
}

async function readChanges({ db }: Pick<Store, 'db'>, tenant?: string): Promise<Changes> {
  const text = await readNote(db, noteOf(tenant))
  return text === undefined ? {} : (JSON.parse(text) as Changes)
}

const inFiles = ({ sections }: Sections) => sections.agents as AgentsFile

const isConfigured = (config: Sections, name: string): boolean => Object.hasOwn(inFiles(config)?.agents ?? {}, name)

/** Throws `bad_setting` if the files themselves don't fit. */
const settingsWith = (config: Sections, changes: Changes, ofTenant?: Changes): AgentsSettings =>
  settingsIn(
    { sections: { ...config.sections, [agentsSection.section]: laidOver(inFiles(config), changes, ofTenant) } },
    agentsSection,
  )

/** The changes that fit the files. */
const fittingIn = (config: Sections, changes: Changes) => fitting(changes, (some) => laidOver(inFiles(config), some))

/** A tenant's changes that fit the files with these `changes`. */
const fittingInTenant = (config: Sections, changes: Changes, ofTenant: Changes) =>
  fitting(ofTenant, (some) => laidOver(inFiles(config), changes, some))

interface Follower {
  config: Sections
  store: Pick<Store, 'db'>
  report(what: string): (thrown: unknown) => void
}

/** Does here what was changed, by this process or another. What doesn't fit the files any more is left out. */
export async function followChanges({ config, store, report }: Follower): Promise<void> {
  const unlessFit = report('changes of agents don’t fit the configuration')
  const tell = (misfits: Misfits) => {
    if (misfits.size > 0)
      unlessFit(new Failure('bad_agent', [...misfits.values()].join('; '), agentsWords.storedChangeRemedy()))
  }
  try {
    const { kept, misfits } = fittingIn(config, await readChanges(store))
    tell(misfits)
    const settings = settingsFor(config)
    const tenants = new Map<string, AgentsSettings>()
    for (const [tenant, changes] of await readTenants(store)) {
      const own = fittingInTenant(config, kept, changes)
      tell(own.misfits)
      tenants.set(tenant, settingsWith(config, kept, own.kept))
    }
    settings.agents = settingsWith(config, kept).agents
    keepTenants(settings, tenants)
  } catch (thrown) {
    unlessFit(thrown)
  }
}

/** The settings with what was changed. */
export async function settingsNow(
  config: Sections,
  store: Pick<Store, 'db'>,
  tenant?: string,
): Promise<AgentsSettings> {
  const { kept } = fittingIn(config, await readChanges(store))
  const own = tenant === undefined ? {} : await readChanges(store, tenant)
  return settingsWith(config, kept, fittingInTenant(config, kept, own).kept)
}

/**
 * `file`: as agents.yaml says; `changed`: not any more; `added`: it isn't in the file. `changed_here`: for this tenant.
 */
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
 * Changes an agent, or adds it; without `keys`, takes back what was changed; with a tenant, only there. Other processes
 * may do the same at the same time. Throws `bad_agent`, `no_change`.
 */
export async function changeAgent(
  { config, store }: { config: Sections; store: Store },
  name: string,
  keys?: JsonObject,
  tenant?: string,
): Promise<void> {
  await store.transaction(async (tx) => {
    await tx.alone(note)
    const all = await readChanges(tx)
    const own = tenant === undefined ? all : await readChanges(tx, tenant)
    const { [name]: _, ...others } = own
    const before = Object.hasOwn(own, name) ? own[name] : undefined
    if (keys === undefined && before === undefined)
      throw new Failure('no_change', agentsWords.asFileSays({ name }), agentsWords.fromFileRemedy())
    const changes: Changes = keys === undefined ? others : { ...others, [name]: { ...before, ...keys } }
    const changed = keys === undefined ? undefined : name
    if (tenant === undefined) mustFitEverywhere(config, { before: all, now: changes, changed }, await readTenants(tx))
    else mustFitIn(config, fittingIn(config, all).kept, { before: own, now: changes, changed })
    if (Object.keys(changes).length === 0) await dropNote(tx, noteOf(tenant))
    else await writeNote(tx, noteOf(tenant), JSON.stringify(changes))
    tx.changed('agents')
  })
}

interface Change {
  before: Changes
  now: Changes
  /** Undefined if something is taken back. */
  changed?: string | undefined
}

function mustFitEverywhere(config: Sections, change: Change, tenants: [tenant: string, Changes][]): void {
  const [before, now] = [fittingIn(config, change.before), fittingIn(config, change.now)]
  mustFit(now.misfits, before.misfits, change.changed)
  for (const [tenant, own] of tenants) {
    const fits = ({ kept }: { kept: Changes }) => fittingInTenant(config, kept, own).misfits
    mustFit(fits(now), fits(before), undefined, tenant)
  }
}

function mustFitIn(config: Sections, everywhere: Changes, { before, now, changed }: Change): void {
  const fits = (own: Changes) => fittingInTenant(config, everywhere, own).misfits
  mustFit(fits(now), fits(before), changed)
}

/** Throws `bad_agent` if a change doesn't fit, or others no longer do because of it. */
function mustFit(now: Misfits, before: Misfits, changed: string | undefined, tenant?: string): void {
  const wrong = [...now].find(([name]) => name === changed || !before.has(name))
  if (wrong === undefined) return
  const [, why] = wrong
  throw new Failure('bad_agent', tenant === undefined ? why : agentsWords.wrongThere({ tenant, why }), '')
}
