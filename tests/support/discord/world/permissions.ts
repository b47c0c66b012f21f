import { OverwriteType, PermissionFlagsBits } from 'discord-api-types/v10'
import { apiError } from '../rest/errors.ts'
import type { Channel } from './types.ts'
import { isDirect, isPrivateThread, type World } from './world.ts'

export type Permission = keyof typeof PermissionFlagsBits

const all = Object.values(PermissionFlagsBits).reduce((bits, bit) => bits | bit, 0n)
const direct = all & ~(PermissionFlagsBits.ManageMessages | PermissionFlagsBits.ManageThreads)

/** Computed as on Discord: roles, then the overwrites of everyone, of roles, and of the member. */
export function permissionsIn(world: World, channel: Channel, userId: string): bigint {
  if (isDirect(channel)) return direct
  const member = world.members.get(userId)
  if (member === undefined) return 0n
  const roles = [world.guildId, ...member.roles]
  let bits = roles.reduce((sum, id) => sum | BigInt(world.roles.get(id)?.permissions ?? 0), 0n)
  if (userId === world.ownerId || bits & PermissionFlagsBits.Administrator) return all
  const { overwrites } = world.parentOf(channel)
  const layers = [
    overwrites.filter(({ id }) => id === world.guildId),
    overwrites.filter(({ id, type }) => type === OverwriteType.Role && member.roles.includes(id)),
    overwrites.filter(({ id, type }) => type === OverwriteType.Member && id === userId),
  ]
  for (const layer of layers) {
    bits &= ~layer.reduce((sum, { deny }) => sum | BigInt(deny), 0n)
    bits |= layer.reduce((sum, { allow }) => sum | BigInt(allow), 0n)
  }
  return bits
}

export const may = (world: World, channel: Channel, userId: string, permission: Permission): boolean =>
  (permissionsIn(world, channel, userId) & PermissionFlagsBits[permission]) !== 0n

/** A private thread is seen by those who are in it, and by moderators. */
export function canSee(world: World, channel: Channel, userId: string): boolean {
  if (isDirect(channel)) return userId === world.botId || userId === channel.recipientId
  if (!may(world, channel, userId, 'ViewChannel')) return false
  return (
    !isPrivateThread(channel) ||
    channel.thread?.members.has(userId) === true ||
    may(world, channel, userId, 'ManageThreads')
  )
}

/** Throws Discord's errors: Missing Access for what the bot can't see, Missing Permissions for the rest. */
export function requirePermissions(world: World, channel: Channel, userId: string, ...needed: Permission[]): void {
  if (!canSee(world, channel, userId)) throw apiError(50001)
  for (const permission of needed) if (!may(world, channel, userId, permission)) throw apiError(50013)
}
