import type { Payload } from '../world/channel-payloads.ts'

export interface Command extends Payload {
  id: string
  name: string
  type: number
  guild_id?: string
  options?: CommandOption[]
}

export interface CommandOption {
  type: number
  name: string
  required?: boolean
  choices?: { name: string; value: unknown }[]
  options?: CommandOption[]
  min_value?: number
  max_value?: number
  min_length?: number
  max_length?: number
  autocomplete?: boolean
}

/** Registered commands, by guild; those without a guild are global. */
export class Commands {
  readonly #all = new Map<string, Command[]>()

  list(scope: string): Command[] {
    return this.#all.get(scope) ?? []
  }

  replace(scope: string, commands: Command[]): void {
    this.#all.set(scope, commands)
  }

  /** Finds a command as people do: the guild's own before a global one. */
  find(name: string, type: number, guildId: string): Command | undefined {
    return [...this.list(guildId), ...this.list('global')].find((one) => one.name === name && one.type === type)
  }
}
