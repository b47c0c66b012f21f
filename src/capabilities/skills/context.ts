import type { SkillLimits } from '../../kit/skills/contents.ts'
import type { CommandsContext } from '../../programs/context.ts'
import type { SkillPackages, WantedPackages } from './packages.ts'

/** What the tools of skills may use. */
export interface SkillsContext extends CommandsContext {
  skills: {
    /** Of one that is installed. */
    limits: SkillLimits
    /** Loads one into the thread, and returns what to tell the model. Throws `no_skill`. */
    load(name: string): Promise<string>
    /** Throws `not_here` in a direct message that belongs to no team, for the scope `team`. */
    checkScope(scope: 'team' | 'channel'): void
    /** What a new skill would share its name with: `tool`, or the capability that loses it somewhere. */
    ownerOf(name: string, scope: 'team' | 'channel'): Promise<string | undefined>
    /** Keeps the files of a new one, and returns what to tell the model. Throws `unsafe_skill`, `no_skill`. */
    install(file: { path: string; bytes: Uint8Array }, scope: 'team' | 'channel'): Promise<string>
    /** What the scripts of one may import, besides what the bot brings along. */
    packagesOf(name: string): Promise<SkillPackages>
    /** Installs what a file of one names. Throws `no_packages`, `no_sandbox`. */
    installPackages(name: string, wanted: WantedPackages, context: SkillsContext): Promise<string>
  }
}
