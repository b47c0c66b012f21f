import { settingsIn } from '../../config/section.ts'
import { fine, mind } from '../../domain/finding.ts'
import { sandboxSection } from '../../programs/settings.ts'
import { appendEvents } from '../../store/events.ts'
import type { Capability } from '../../turn/port/capability.ts'
import { loadForMessage, loadForModel, mayGive } from './activate.ts'
import { skillsCommand } from './commands.ts'
import type { SkillsContext } from './context.ts'
import { hintsFor } from './hints.ts'
import { checkScope, install, ownerOf } from './install.ts'
import { installSkillPackages } from './install-packages.ts'
import { installSkill } from './install-skill.ts'
import { type Match, matchesFor, withRoom } from './match.ts'
import { inUseIn, markActive, refuse, whyNarrowed } from './narrow.ts'
import { installPackages, packagesOf, type WantedPackages } from './packages.ts'
import { nextStep, plan } from './plan.ts'
import { catalogue, sectionOf } from './prompt.ts'
import { registryFor, skillNamed } from './registry.ts'
import { runSkillScript } from './run-skill-script.ts'
import { linkSkills, loadedOf, packagesFolder, skillsForMessage, skillsForPrompt, skillsOf } from './session-skills.ts'
import { type SkillsSettings, skillsSection } from './settings.ts'
import { skillTool } from './skill-tool.ts'
import type { Step } from './triggers.ts'

/** A skill's own scripts belong to it, whatever it allows. */
const ownTools = [skillTool.name, runSkillScript.name, installSkillPackages.name]

type Why = Pick<Match, 'mode' | 'score'> & { steps: readonly Step[] }

/** Skills: how to do a kind of work, written down once, with scripts. */
export const skills: Capability<SkillsSettings> = {
  name: 'skills',
  title: 'Skills',
  settings: skillsSection,
  tools: [skillTool, runSkillScript, installSkill, installSkillPackages],
  context(turn) {
    const { bot } = turn
    const { uploads } = bot.config
    const workspace = { bytes: uploads.workspaceBytes, files: uploads.workspaceFiles }
    const limits = { sandbox: settingsIn(bot.config, sandboxSection), workspace }
    return {
      sandbox: bot.sandbox,
      limits,
      skills: {
        limits: registryFor(bot.config).settings,
        load: (name: string) => loadForModel(name, turn),
        checkScope: (scope: 'team' | 'channel') => checkScope(scope, turn.session),
        ownerOf: (name: string, scope: 'team' | 'channel') => ownerOf(name, scope, turn),
        install: ({ bytes }: { bytes: Uint8Array }, scope: 'team' | 'channel') => install(bytes, scope, turn),
        packagesOf: async (name: string) => {
          const found = await packagesOf(skillNamed(name, await skillsOf(turn.session, bot)), bot.config.dataDir)
          return { ...found, packages: found.packages ?? packagesFolder }
        },
        installPackages: async (name: string, wanted: WantedPackages, { signal, output }: SkillsContext) => {
          const skill = skillNamed(name, await skillsOf(turn.session, bot))
          const { packages: settings } = registryFor(bot.config).settings
          const { dataDir } = bot.config
          return installPackages(skill, wanted, {
            dataDir,
            sandbox: bot.sandbox,
            limits: limits.sandbox,
            settings,
            signal,
            output,
          })
        },
      },
    }
  },
  async prompt(session, { bot, mentioned }, { inThread, bodyCharacters }) {
    const { all, loaded } = await skillsForPrompt(session, bot)
    const names = [...new Set([...loaded, ...mentioned])].slice(0, Math.max(loaded.length, inThread))
    const own = names.flatMap((name) => all.find((skill) => skill.name === name) ?? [])
    const mask = (text: string) => bot.store.mask(text)
    return [...catalogue(all, mask), ...own.map((skill) => sectionOf(skill, bodyCharacters, mask))]
  },
  async names(session, bot) {
    return (await skillsOf(session, bot)).map(({ name }) => name)
  },
  async implied(text, session, bot, { inThread }) {
    const all = await skillsForMessage(session, bot)
    const matches = matchesFor(text, all)
    if (matches.length === 0) return []
    return withRoom(matches, await loadedOf(all, session, bot), inThread).map(({ name, mode, score }) => {
      const steps = all.find((one) => one.name === name)?.triggers?.steps ?? []
      return { name, why: { mode, score, steps } }
    })
  },
  async named(tx, session, named, { bot: { config }, turn }) {
    const matched = named.flatMap(({ name, why }) => (why === undefined ? [] : [{ name, ...(why as Why) }]))
    const told = matched.map(({ steps: _, ...match }) => match)
    if (told.length > 0) await appendEvents(tx, session, [{ type: 'skill_matched', data: { skills: told } }])
    const registry = registryFor(config)
    const names = await loadForMessage(tx, session, named, registry)
    if (registry.mayNarrow()) await markActive(tx, session, turn, names)
    const first = matched.find(({ name, steps }) => steps.length > 0 && names.includes(name))
    if (first !== undefined) await plan(tx, session, { skill: first.name, steps: first.steps, turn })
  },
  beforeModel: async (_, scope) => (registryFor(scope.bot.config).mayPlan() ? nextStep(scope) : undefined),
  async mayCall(tool, turn, input) {
    const { bot, session, row } = turn
    const given = (tool.handsOut?.(input as never) ?? []).flatMap((task) => task.skills ?? [])
    if (given.length > 0) await mayGive(given, turn)
    if (!registryFor(bot.config).mayNarrow()) return
    // A skill of its own counts, too, though no message may have named it in this turn.
    const own = tool.skillOf?.(input as never)
    const inUse = [...(await inUseIn(session, row.id, bot.store.db)), own === undefined ? [] : [own]]
    if (inUse.flat().length === 0) return
    const all = await skillsOf(session, bot)
    for (const names of inUse) {
      const why = whyNarrowed(
        tool,
        ownTools,
        all.filter(({ name }) => names.includes(name)),
      )
      if (why !== undefined) refuse(why)
    }
  },
  beforeCalls: linkSkills,
  reminders: hintsFor,
  commands: (bot) => [skillsCommand(bot)],
  routesAt: 'skills',
  operations: async () => (await import('./operations.ts')).skillOperations,
  routes: (bot) => async (request) => (await import('./routes.ts')).answerRoute(request, bot),
  terminal: async (args, config) => (await import('./terminal.ts')).skillsTerminal(args, config),
  async *checks(config) {
    const { skills: found, unusable } = await registryFor(config).fixed()
    yield fine(`${found.length} skills: ${found.map(({ name }) => name).join(', ')}.`)
    for (const { folder, why } of unusable) yield mind(`${folder} can’t be used.`, why)
    yield* (await import('./checks.ts')).shelfFindings(config)
  },
}
