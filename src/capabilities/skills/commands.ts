import { directTenant } from '../../domain/chat.ts'
import { nameCharacters } from '../../kit/skills/check.ts'
import { oneLine, plainName } from '../../kit/text/text.ts'
import { changeSkill, loadedSkills, type SkillScope, skillHistory, type TeamSkill } from '../../store/skills.ts'
import { noteRefusal } from '../../trust/refusals.ts'
import type { Command, CommandResult, ThreadContext } from '../../turn/port/command.ts'
import type { Services } from '../../turn/port/scope.ts'
import { whyMayNot } from '../../turn/port/who-may.ts'
import { type Change, type NextState, nextState, nextStateNow } from './next-state.ts'
import { registryFor, skillNamed } from './registry.ts'
import { type Skill, sourceWords } from './skill.ts'
import { skillsWords } from './words.ts'

const pattern = new RegExp(
  String.raw`^(?:(on|off|back|remove)\s+)?@?([${nameCharacters}-]{1,64})(?:\s+(everywhere))?$`,
  'u',
)

/** `skills`, `skills pdf`, `skills off pdf`, `skills back pdf everywhere`. */
export const skillsCommand = (bot: Services): Command => ({
  name: 'skills',
  summary: skillsWords.commandSummary(),
  argument: { name: 'name', pattern },
  about: 'channel',
  async run(context) {
    const { argument, session, deps } = context
    const all = await registryFor(bot.config).of(deps.store, context.project)
    const shown: Shown = (text, most) => oneLine(plain(deps.store.mask(text)), most)
    if (argument === '') return listed(all, session && (await loadedSkills(deps.store.db, session.id)), shown)
    const [, change, name = '', everywhere] = pattern.exec(argument.trim()) ?? []
    if (name === '') return skillsWords.nameMissing()
    if (change === undefined) return described(skillNamed(name, all), shown)
    if (session === undefined) return skillsWords.threadNeeded()
    return changed(change as Change, name, everywhere !== undefined, { ...context, session }, bot, all)
  },
})

/** Somebody else's words, masked before they are cut, because nobody would recognize a part of a secret. */
type Shown = (text: string, most: number) => string

function listed(all: readonly Skill[], loaded: readonly string[] | undefined, shown: Shown): string {
  if (all.length === 0) return skillsWords.noSkills()
  const line = (skill: Skill): string => {
    const marks = [sourceWords(skill), ...(loaded?.includes(skill.name) ? ['loaded in this thread'] : [])]
    return `- \`@${skill.name}\` – ${shown(skill.facts.description, 140)} (${marks.join(', ')})`
  }
  const on = all.filter(({ isOn }) => isOn)
  const off = all.filter(({ isOn, unreadable }) => !isOn && unreadable === undefined)
  const unread = all.filter(({ unreadable }) => unreadable !== undefined)
  return [
    skillsWords.skillsTitle(),
    ...on.map(line),
    ...(off.length === 0 ? [] : [skillsWords.switchedOffTitle(), ...off.map(line)]),
    ...(unread.length === 0 ? [] : [skillsWords.unreadableTitle(), ...unread.map(({ name }) => `- ${name}`)]),
    '`skills on`, `off`, `back` or `remove` with a name changes one.',
  ].join('\n')
}

const plain = (text: string): string => plainName(text.slice(0, 900)).replace(/[`*~_|\\#]/g, '')

/** Metadata that says when a skill is loaded or shown, and what has a line of its own. */
const forProgram = ['always-shown', 'run', 'trigger-mode', 'trigger-threshold', 'triggers', 'version']

function described(skill: Skill, shown: Shown): string {
  const { name, facts, findings, installed, isOn, unreadable } = skill
  const more = Object.entries(facts.metadata)
    .filter(([key]) => !forProgram.includes(key))
    .map(([key, value]) => `${key} ${value}`)
    .join('; ')
  return [
    `**${name}** – ${shown(facts.description, 300)}`,
    `- ${unreadable === undefined ? `${isOn ? 'On' : 'Off'}; ` : ''}${sourceWords(skill)}`,
    ...(unreadable === undefined ? [] : [`- ${skillsWords.cannotBeReadRemedy()}`]),
    ...(installed ? [skillsWords.versionBy({ version: installed.version, name: plainName(installed.by.name) })] : []),
    ...(facts.license ? [`- License: ${shown(facts.license, 100)}`] : []),
    ...(facts.metadata.version ? [skillsWords.ownVersion({ version: shown(facts.metadata.version, 40) })] : []),
    ...(more === '' ? [] : [skillsWords.metadata({ facts: shown(more, 200) })]),
    ...(findings.length > 0 ? [skillsWords.rulesBroken({ count: findings.length })] : []),
  ].join('\n')
}

async function changed(
  change: Change,
  name: string,
  everywhere: boolean,
  context: ThreadContext,
  bot: Services,
  all: readonly Skill[],
): Promise<CommandResult> {
  const { person, session } = context
  const { platform, tenant, project } = session.thread
  if (everywhere && tenant === directTenant)
    return `${skillsWords.directOnlyForThread()} ${skillsWords.everywhereRemedy()}`
  const scope = { platform, tenant, project: everywhere ? '' : project }
  const history = await skillHistory(bot.store.db, scope, name)
  const there = everywhere ? await registryFor(bot.config).of(bot.store, scope) : all
  const found = there.find((skill) => skill.name === name)
  const isThere = found !== undefined
  if (nextState(change, history, isThere) === undefined) return whyNothing(change, name, scope, { found, history, all })
  // Skills are changed by whoever may decide about installing one.
  const reason = await whyMayNot({ tool: 'install_skill', what: 'change skills' }, person, session, bot)
  return {
    async act(tx) {
      if (reason !== undefined) {
        await noteRefusal(tx, { session: session.id, about: { skill: name } }, person, reason)
        return reason
      }
      const { next, history: now } = await nextStateNow(tx, scope, { change, name, seen: history, isThere })
      if (next === undefined) return whyNothing(change, name, scope, { found: undefined, history: now, all })
      const version = await changeSkill(tx, scope, { name, by: person, ...next })
      const said = words(change, name, scope, next, version)
      return change === 'on' && found?.unreadable ? `${said} ${skillsWords.onButUnread()}` : said
    },
  }
}

/** `found`: the skill of this name in the scope. `all`: those of the channel. */
function whyNothing(
  change: Change,
  name: string,
  scope: SkillScope,
  { found, history, all }: { found: Skill | undefined; history: readonly TeamSkill[]; all: readonly Skill[] },
): string {
  if (found === undefined) {
    if (history.some(({ hash }) => hash !== ''))
      return skillsWords.removedBefore({ name, command: backTo(name, scope) })
    skillNamed(name, all)
    return `${skillsWords.notEverywhere({ name })} ${skillsWords.everywhereRemedy()}`
  }
  if (change === 'back') return skillsWords.nothingBefore({ scope: where(scope), name })
  return found.source === 'team'
    ? `${skillsWords.ofTeam({ name })} ${skillsWords.removeEverywhereRemedy({ name })}`
    : `${skillsWords.notRemovable({ name, source: found.source })} ${skillsWords.switchOffRemedy({ name })}`
}

const where = ({ project }: SkillScope): string => (project === '' ? 'in all channels' : 'in this channel')

export const backTo = (name: string, { project }: SkillScope): string =>
  `skills back ${name}${project === '' ? ' everywhere' : ''}`

function words(change: Change, name: string, scope: SkillScope, { state }: NextState, version: number): string {
  const place = where(scope)
  if (change === 'back')
    return `${name} is as it was before, ${place} (version ${version}${state === 'on' ? '' : `: ${state}`}).`
  if (change === 'remove') return skillsWords.removedHere({ name, place, command: backTo(name, scope) })
  return change === 'on'
    ? `${name} is on ${place}.`
    : `${name} is off ${place}: I no longer use it by myself. Writing @${name} still loads it.`
}
