import type { CommandsContext } from '../../programs/context.ts'

/** What the tools of skills may use. */
export interface SkillsContext extends CommandsContext {
  skills: {
    /** Loads one into the thread, and returns what to tell the model. Throws `no_skill`. */
    load(name: string): Promise<string>
    /** Keeps the files of a new one, and returns what to tell the model. Throws `unsafe_skill`, `no_skill`. */
    install(file: { path: string; bytes: Uint8Array }, scope: 'team' | 'channel'): Promise<string>
    /** A folder `node_modules` for its scripts. */
    packages: string
  }
}
