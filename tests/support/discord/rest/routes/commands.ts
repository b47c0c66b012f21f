import type { Command } from '../../interactions/commands.ts'
import { json, noContent } from '../answer.ts'
import type { Handler, Incoming } from '../call.ts'
import { apiError } from '../errors.ts'

/** Where commands are registered; throws for another application or guild. */
function scopeOf({ context: { world }, params }: Incoming): string {
  if (params.application_id !== world.botId) throw apiError(20012)
  if (params.guild_id === undefined) return 'global'
  if (params.guild_id !== world.guildId) throw apiError(50001)
  return params.guild_id
}

type Form = Partial<Command> & { name: string }

/** Fields that Discord fills in. */
function registered({ context: { world, commands }, params }: Incoming, scope: string, form: Form): Command {
  const type = form.type ?? 1
  const known = commands.list(scope).find((one) => one.name === form.name && one.type === type)
  const bits = form.default_member_permissions
  return {
    ...form,
    description: form.description ?? '',
    nsfw: form.nsfw ?? false,
    default_member_permissions: bits == null ? null : String(bits),
    id: known?.id ?? world.ids.next(),
    type,
    application_id: world.botId,
    version: world.ids.next(),
    ...(params.guild_id
      ? { guild_id: params.guild_id }
      : {
          dm_permission: form.dm_permission ?? true,
          contexts: form.contexts ?? null,
          integration_types: form.integration_types ?? [0],
        }),
  }
}

const list: Handler = (incoming) => json(incoming.context.commands.list(scopeOf(incoming)))

const replaceAll: Handler = (incoming) => {
  const scope = scopeOf(incoming)
  const commands = (incoming.body as unknown as Form[]).map((form) => registered(incoming, scope, form))
  incoming.context.commands.replace(scope, commands)
  return json(commands)
}

const create: Handler = (incoming) => {
  const { commands } = incoming.context
  const scope = scopeOf(incoming)
  const command = registered(incoming, scope, incoming.body as Form)
  const others = commands.list(scope).filter(({ id }) => id !== command.id)
  if (others.length >= 100) throw apiError(30032)
  commands.replace(scope, [...others, command])
  return json(command, others.length === commands.list(scope).length ? 200 : 201)
}

function commandOf(incoming: Incoming): Command {
  const found = incoming.context.commands.list(scopeOf(incoming)).find(({ id }) => id === incoming.params.command_id)
  if (found === undefined) throw apiError(10063)
  return found
}

const patch: Handler = (incoming) => {
  const { world } = incoming.context
  return json(Object.assign(commandOf(incoming), incoming.body, { version: world.ids.next() }))
}

const remove: Handler = (incoming) => {
  const command = commandOf(incoming)
  const { commands } = incoming.context
  const scope = scopeOf(incoming)
  commands.replace(
    scope,
    commands.list(scope).filter(({ id }) => id !== command.id),
  )
  return noContent
}

const routesAt = (path: string): Record<string, Handler> => ({
  [`GET ${path}`]: list,
  [`PUT ${path}`]: replaceAll,
  [`POST ${path}`]: create,
  [`GET ${path}/{command_id}`]: (incoming) => json(commandOf(incoming)),
  [`PATCH ${path}/{command_id}`]: patch,
  [`DELETE ${path}/{command_id}`]: remove,
})

export const commandRoutes: Record<string, Handler> = {
  ...routesAt('/applications/{application_id}/commands'),
  ...routesAt('/applications/{application_id}/guilds/{guild_id}/commands'),
}
