import { createHash } from 'node:crypto'
import { type APIApplication, type APIApplicationCommand, Routes } from 'discord.js'
import { reasonOf } from '../../../kit/failure.ts'
import type { Log } from '../../../kit/log.ts'
import type { Notes } from '../../platform.ts'
import type { DiscordApi } from '../api/api.ts'
import { commandsFor } from '../interactions/command-list.ts'

type Commands = ReturnType<typeof commandsFor>

const noteName = 'discord.commands'

/**
 * Registers our commands with Discord if they have changed, or if Discord has others: after going back to an older
 * version with the note of its backup, Discord still has the newer one's. The bot goes on even if that fails.
 */
export async function registerCommands(
  application: string,
  { api, notes, log }: { api: DiscordApi; notes: Notes; log: Log },
): Promise<void> {
  try {
    const commands = commandsFor(await api.read<APIApplication>(Routes.currentApplication()))
    const hash = createHash('sha256')
      .update(JSON.stringify([application, commands]))
      .digest('hex')
    const route = Routes.applicationCommands(application)
    const areKnown = (await notes.get(noteName)) === hash
    if (areKnown && areThere(await api.read<APIApplicationCommand[]>(route), commands)) return
    await api.write({ bucket: 'commands', priority: 'card' }, { method: 'PUT', route, body: commands })
    await notes.set(noteName, hash)
  } catch (thrown) {
    log.warn({ error: reasonOf(thrown) }, 'the slash commands could not be looked at or registered')
  }
}

/** All of these, and no others. */
const areThere = (registered: APIApplicationCommand[], commands: Commands): boolean =>
  registered.length === commands.length && commands.every((command) => stateOf(command, registered) === 'there')

/** Whether Discord offers this command as this version has it. */
export function stateOf(
  command: Commands[number],
  registered: APIApplicationCommand[],
): 'there' | 'missing' | 'different' {
  const same = registered.find(({ name, type }) => name === command.name && type === command.type)
  if (same === undefined) return 'missing'
  return has(same, command) ? 'there' : 'different'
}

/**
 * Fields that change how a command works and that this version doesn't set: if Discord has one, another version set it.
 */
const telling = [
  'options',
  'choices',
  'required',
  'autocomplete',
  'min_length',
  'min_value',
  'max_value',
  'default_member_permissions',
  'nsfw',
]

/** Whether Discord has what the bot told it. It adds fields of its own, and keeps no order of numbers. */
function has(theirs: unknown, ours: unknown): boolean {
  if (typeof ours !== 'object' || ours === null) return theirs === ours
  if (typeof theirs !== 'object' || theirs === null) return false
  if (Array.isArray(ours) && Array.isArray(theirs)) {
    if (ours.length !== theirs.length) return false
    if (ours.every((one) => typeof one === 'number')) return ours.every((one) => theirs.includes(one))
  }
  const more = Object.entries(theirs).filter(([name]) => telling.includes(name) && !(name in ours))
  if (more.some(([, value]) => !isNothing(value))) return false
  return Object.entries(ours).every(([name, value]) => has(theirs[name as keyof typeof theirs], value))
}

const isNothing = (value: unknown): boolean =>
  value === null || value === false || value === undefined || (Array.isArray(value) && value.length === 0)
