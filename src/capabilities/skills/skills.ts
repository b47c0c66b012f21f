import { settingsIn } from '../../config/section.ts'
import { fine, mind } from '../../domain/finding.ts'
import { sandboxSection } from '../../programs/settings.ts'
import { appendEvents } from '../../store/events.ts'
import { loadedSkills, loadSkills } from '../../store/skills.ts'
import type { Capability } from '../../turn/capability.ts'
import { skillsCommand } from './commands.ts'
import { hintsFor } from './hints.ts'
import { install } from './install.ts'
import { installSkill } from './install-skill.ts'
import { catalogue, sectionOf } from './prompt.ts'
import { registryFor } from './registry.ts'
import { runSkillScript } from './run-skill-script.ts'
import { linkSkills, loadForModel, packagesFolder, skillsOf } from './session-skills.ts'
import { type SkillsSettings, skillsSection } from './settings.ts'
import { skillTool } from './skill-tool.ts'

/** Skills: how to do a kind of work, written down once, with scripts. */
export const skills: Capability<SkillsSettings> = {
  name: 'skills',
  title: 'Skills',
  settings: skillsSection,
  tools: [skillTool, runSkillScript, installSkill],
  context(turn) {
    const { bot } = turn
    const { uploads } = bot.config
    const workspace = { bytes: uploads.workspaceBytes, files: uploads.workspaceFiles }
    const limits = { sandbox: settingsIn(bot.config, sandboxSection), workspace }
    return {
      ...{ sandbox: bot.sandbox, limits },
      skills: {
        load: (name: string) => loadForModel(name, turn),
        install: ({ bytes }: { bytes: Uint8Array }, scope: 'team' | 'channel') => install(bytes, scope, turn),
        packages: packagesFolder,
      },
    }
  },
  async prompt(session, { bot, mentioned }, { inThread, bodyCharacters }) {
    const all = await skillsOf(session, bot)
    const loaded = await loadedSkills(bot.store.db, session.id)
    const names = [...new Set([...loaded, ...mentioned])].slice(0, Math.max(loaded.length, inThread))
    const own = names.flatMap((name) => all.find((skill) => skill.name === name) ?? [])
    return [...catalogue(all), ...own.map((skill) => sectionOf(skill, bodyCharacters))]
  },
  async names(session, bot) {
    return (await skillsOf(session, bot)).map(({ name }) => name)
  },
  async named(tx, session, names, { config }) {
    const added = await loadSkills(tx, session, names, registryFor(config).settings.inThread)
    if (added.length > 0) await appendEvents(tx, session, [{ type: 'skill_activated', data: { skills: added } }])
  },
  beforeCalls: linkSkills,
  reminders: hintsFor,
  commandsOf: (bot) => [skillsCommand(bot)],
  routesAt: 'skills',
  routes: (bot) => async (request) => (await import('./routes.ts')).answerRoute(request, bot),
  terminal: async (args, config) => (await import('./terminal.ts')).skillsTerminal(args, config),
  async *checks(config) {
    const { skills: found, unusable } = await registryFor(config).fixed()
    yield fine(`${found.length} skills: ${found.map(({ name }) => name).join(', ')}.`)
    for (const { folder, why } of unusable) yield mind(`${folder} isn't a skill that can be used.`, why)
  },
}
