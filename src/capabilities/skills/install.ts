import { directTenant } from '../../domain/chat.ts'
import { Failure } from '../../kit/failure.ts'
import { counted } from '../../kit/text/shown.ts'
import { plainName } from '../../kit/text/text.ts'
import type { Session } from '../../store/sessions.ts'
import { changeSkill } from '../../store/skills.ts'
import type { Services, TurnScope } from '../../turn/port/scope.ts'
import { backTo } from './commands.ts'
import { readPackage } from './read-package.ts'
import { registryFor, type SkillPlace } from './registry.ts'
import { skillsOf } from './session-skills.ts'
import { aboutName } from './shown-package.ts'
import type { Skill } from './skill.ts'
import { skillsWords } from './words.ts'

/** Strangers share the tenant of direct messages, so nothing is installed there for all of it. */
export function checkScope(scope: 'team' | 'channel', { thread }: Pick<Session, 'thread'>): void {
  if (scope === 'channel' || thread.tenant !== directTenant) return
  throw new Failure('not_here', skillsWords.directOnlyForThread(), skillsWords.tenantScopeRemedy())
}

/** Keeps the files of a skill, which people have approved, and makes it known. */
export async function install(bytes: Uint8Array, scope: 'team' | 'channel', turn: TurnScope): Promise<string> {
  const { bot, session, row, lease } = turn
  const { facts, findings, files } = await readPackage(bytes, registryFor(bot.config).settings)
  const place = placeOf(scope, session)
  const before = await skillIn(place, facts.name, bot)
  const owner = await ownerOf(facts.name, scope, turn)
  const hash = await registryFor(bot.config).shelf.put(files)
  const version = await bot.store.fenced(lease, (tx) =>
    changeSkill(tx, place, { name: facts.name, state: 'on', hash, by: row.person }),
  )
  turn.promptChanged()
  const where = scope === 'team' ? 'in all channels of this team' : 'in this channel'
  const here = (await skillsOf(session, bot)).find(({ name }) => name === facts.name)
  const odd =
    findings.length === 0 ? '' : ` It works, but breaks ${counted(findings.length, 'rule')} of the specification.`
  return [
    `Installed ${facts.name}, version ${version}, ${where}, as ${plainName(row.person.name)} asked.${odd}`,
    ...(before === undefined ? [] : [skillsWords.takesPlace({ source: before.source })]),
    ...(scope === 'team' ? stillHere(here) : []),
    ...(owner === 'tool' ? [] : [skillsWords.loadedByName({ name: facts.name })]),
    ...aboutName(facts.name, owner),
    skillsWords.goesBack({ command: backTo(facts.name, place) }),
  ].join(' ')
}

/** What a new skill would share its name with; a capability only if no skill there has taken the name from it yet. */
export async function ownerOf(name: string, scope: 'team' | 'channel', turn: TurnScope): Promise<string | undefined> {
  const owner = await turn.ownerOf(name, 'skills')
  if (owner === undefined || owner === 'tool') return owner
  return (await skillIn(placeOf(scope, turn.session), name, turn.bot)) === undefined ? owner : undefined
}

function placeOf(scope: 'team' | 'channel', { thread }: Pick<Session, 'thread'>) {
  const { platform, tenant, project } = thread
  return { platform, tenant, project: scope === 'team' ? '' : project }
}

const skillIn = async (place: SkillPlace, name: string, { config, store }: Services): Promise<Skill | undefined> =>
  (await registryFor(config).of(store, place)).find((one) => one.name === name)

/** What a channel has of its own, or has switched off, stays so when its team gets a skill of that name. */
function stillHere(here: Skill | undefined): string[] {
  if (here?.source === 'channel') return [skillsWords.channelKeepsOwn()]
  return here?.isOn === false ? [skillsWords.staysOff()] : []
}
