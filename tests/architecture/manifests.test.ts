import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  ApplicationCommandType,
  ApplicationIntegrationType,
  GatewayIntentBits,
  InteractionContextType,
  PermissionFlagsBits,
} from 'discord.js'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { manifestsDir, slackScopes } from '../../src/config/manifests.ts'
import {
  intentNames,
  intents,
  inviteLink,
  inviteScopes,
  permissionNames,
  permissions,
} from '../../src/platforms/discord/api/needs.ts'
import { commands, commandsOfPeople } from '../../src/platforms/discord/interactions/command-list.ts'
import { messageEvents } from '../../src/platforms/slack/heard/listen.ts'
import { rightsEvents } from '../../src/platforms/slack/heard/rights.ts'
import { commands as sessionCommands } from '../support/commands.ts'
import { code } from './sources.ts'

const read = (name: string): unknown => parse(readFileSync(join(manifestsDir, name), 'utf8'))
const textOf = (folder: string, without = '-') =>
  code
    .filter(({ path }) => path.startsWith(folder) && !path.startsWith(without))
    .map(({ text }) => text)
    .join('\n')
const found = (text: string, pattern: RegExp): string[] => [
  ...new Set([...text.matchAll(pattern)].map(([, name]) => name as string)),
]

describe('manifests/slack.yaml', () => {
  /** Known fields and their length limits, from https://docs.slack.dev/reference/app-manifest. */
  const app = z
    .strictObject({
      display_information: z.strictObject({
        name: z.string().max(35),
        description: z.string().max(140),
        background_color: z.string().regex(/^#[0-9a-f]{6}$/),
      }),
      features: z.strictObject({
        bot_user: z.strictObject({ display_name: z.string().regex(/^[a-z0-9._-]{1,80}$/), always_online: z.boolean() }),
        app_home: z.strictObject({
          home_tab_enabled: z.boolean(),
          messages_tab_enabled: z.literal(true),
          messages_tab_read_only_enabled: z.literal(false),
        }),
        agent_view: z.strictObject({
          agent_description: z.string().min(1).max(300),
          suggested_prompts: z.array(z.strictObject({ title: z.string().min(1), message: z.string().min(1) })).max(4),
        }),
        slash_commands: z.array(
          z.strictObject({
            command: z.string().regex(/^\/[a-z_-]{1,31}$/),
            description: z.string().max(2_000),
            usage_hint: z.string().max(1_000),
            should_escape: z.boolean(),
          }),
        ),
      }),
      oauth_config: z.strictObject({ scopes: z.strictObject({ bot: z.array(z.string()) }) }),
      settings: z.strictObject({
        event_subscriptions: z.strictObject({ bot_events: z.array(z.string()) }),
        interactivity: z.strictObject({ is_enabled: z.boolean() }),
        org_deploy_enabled: z.literal(false),
        socket_mode_enabled: z.literal(true),
        token_rotation_enabled: z.literal(false),
      }),
    })
    .parse(read('slack.yaml'))

  const text = textOf('platforms/slack/')
  const { features, settings } = app

  /** The Slack events that the bot takes in. Only their names count here, so what would take them in isn't there. */
  const takers = { ...messageEvents({} as never), ...rightsEvents({ slack: {} } as never) }
  const events = Object.keys(takers).flatMap((event) =>
    event === 'message' ? ['message.channels', 'message.groups', 'message.im', 'message.mpim'] : [event],
  )
  const methods = found(text, /\bclient\s*\.((?:\w+\.)+\w+)\(/g)

  const history = ['channels:history', 'groups:history', 'im:history', 'mpim:history']
  const names = ['channels:read', 'groups:read', 'im:read', 'mpim:read']
  /** The scopes of every method we call, for a bot in any kind of channel. */
  const scopesOfMethods: Record<string, string[]> = {
    'agents.sessions.rename': ['chat:write'],
    'agents.sessions.setStatus': ['chat:write'],
    'apps.connections.open': [], // the app token's own
    'assistant.threads.setSuggestedPrompts': ['assistant:write'],
    'auth.test': [],
    'bots.info': ['users:read'],
    'chat.appendStream': ['chat:write'],
    'chat.delete': ['chat:write'],
    'chat.postEphemeral': ['chat:write'],
    'chat.postMessage': ['chat:write'],
    'chat.startStream': ['chat:write'],
    'chat.stopStream': ['chat:write'],
    'chat.update': ['chat:write'],
    'conversations.history': history,
    'conversations.info': names,
    'conversations.replies': history,
    'files.completeUploadExternal': ['files:write'],
    'files.delete': ['files:write'],
    'files.getUploadURLExternal': ['files:write'],
    'files.info': ['files:read'],
    'usergroups.users.list': ['usergroups:read'],
    'users.conversations': names,
    'users.info': ['users:read'],
    'views.open': [],
    'views.publish': [],
    'views.update': [],
  }
  const scopesOfEvents: Record<string, string[]> = {
    agent_session_stopped: [],
    agent_session_title_changed: [],
    app_home_opened: [],
    app_mention: ['app_mentions:read'],
    app_uninstalled: [],
    channel_id_changed: ['channels:read', 'groups:read'],
    channel_unarchive: ['channels:read'],
    file_created: ['files:read'],
    group_unarchive: ['groups:read'],
    member_joined_channel: ['channels:read', 'groups:read'],
    tokens_revoked: [],
    'message.channels': ['channels:history'],
    'message.groups': ['groups:history'],
    'message.im': ['im:history'],
    'message.mpim': ['mpim:history'],
    reaction_added: ['reactions:read'],
  }

  test('subscribes to exactly the events that the bot handles', () => {
    expect(settings.event_subscriptions.bot_events.toSorted()).toEqual(events.toSorted())
  })

  test('asks for exactly the scopes that events, methods and features need', () => {
    expect(methods.length).toBeGreaterThan(10)
    expect(methods.filter((method) => scopesOfMethods[method] === undefined)).toEqual([])
    expect(events.filter((event) => scopesOfEvents[event] === undefined)).toEqual([])
    const needed = new Set([
      ...methods.flatMap((method) => scopesOfMethods[method] ?? []),
      ...events.flatMap((event) => scopesOfEvents[event] ?? []),
      // Slack adds it to apps that are agents.
      'assistant:write',
      ...(features.slash_commands.length > 0 ? ['commands'] : []),
    ])
    expect(slackScopes().toSorted()).toEqual([...needed].toSorted())
  })

  test('names the slash commands that the bot handles, and what they can do', () => {
    const [command] = features.slash_commands
    expect(features.slash_commands).toHaveLength(1)
    const [listenedTo = ''] = found(text, /\bapp\.command\(\s*\/(.+)\/,/g)
    expect(command?.command).toMatch(new RegExp(listenedTo))
    const hinted = command?.usage_hint.split('|').map((part) => part.trim().split(' ')[0])
    const ofChannels = sessionCommands.filter(({ about }) => about === 'channel').map(({ name }) => name)
    expect(hinted?.toSorted()).toEqual(ofChannels.toSorted())
  })

  test('enables interactivity when the bot handles clicks or forms', () => {
    expect(settings.interactivity.is_enabled).toBe(/\bapp\.(action|view)\(/.test(text))
  })
})

describe('manifests/discord.yaml', () => {
  const list = z.array(z.string())
  const application = z
    .strictObject({
      application: z.strictObject({
        interactions_endpoint_url: z.null(),
        privileged_intents: list,
        require_code_grant: z.literal(false),
        install_contexts: list,
        interaction_contexts: list,
        with_user_install: z.strictObject({
          install_contexts: list,
          interaction_contexts: list,
          commands: z.record(z.string(), z.string()),
        }),
      }),
      intents: z.strictObject({ names: list, bits: z.int() }),
      permissions: z.strictObject({ names: list, bits: z.string() }),
      invite: z.strictObject({ scopes: list, link: z.string() }),
      commands: z.array(
        z.strictObject({
          name: z.string(),
          kind: z.string(),
          description: z.string().optional(),
          subcommands: z.record(z.string(), z.string()).optional(),
        }),
      ),
    })
    .parse(read('discord.yaml'))

  // The requests of the doctor need no permission.
  const text = textOf('platforms/discord/', 'platforms/discord/doctor')

  const everywhere = ['GuildMessages', 'DirectMessages']
  const intentsOfEvents: Record<string, string[]> = {
    ChannelDelete: ['Guilds'],
    ChannelUpdate: ['Guilds'],
    GuildCreate: ['Guilds'],
    GuildDelete: ['Guilds'],
    GuildMemberUpdate: [], // of the bot itself it is told without the intent
    GuildRoleUpdate: ['Guilds'],
    InteractionCreate: [],
    MessageCreate: [...everywhere, 'MessageContent'],
    MessageDelete: everywhere,
    MessageDeleteBulk: ['GuildMessages'],
    MessageReactionAdd: ['GuildMessageReactions', 'DirectMessageReactions'],
    MessageReactionRemove: ['GuildMessageReactions', 'DirectMessageReactions'],
    MessageReactionRemoveAll: ['GuildMessageReactions', 'DirectMessageReactions'],
    MessageReactionRemoveEmoji: ['GuildMessageReactions', 'DirectMessageReactions'],
    MessageUpdate: [...everywhere, 'MessageContent'],
    Ready: [],
    ThreadDelete: ['Guilds'],
    ThreadListSync: ['Guilds'],
    ThreadUpdate: ['Guilds'],
  }
  /** The permissions that these calls need in a server. */
  const permissionsOfRoutes: Record<string, string[]> = {
    applicationCommands: [],
    currentApplication: [],
    channel: ['ViewChannel'],
    channelMessage: ['ViewChannel'],
    channelMessages: ['ViewChannel', 'SendMessages', 'SendMessagesInThreads', 'ReadMessageHistory', 'AttachFiles'],
    channelMessageOwnReaction: ['AddReactions', 'ReadMessageHistory'],
    channelTyping: ['SendMessages', 'SendMessagesInThreads'],
    guildActiveThreads: [],
    guildChannels: [],
    interactionCallback: [],
    channelThreads: ['ReadMessageHistory'],
    threads: ['CreatePublicThreads'],
    guildMember: [],
    user: [],
    userChannels: [],
    webhook: [], // by the token of an interaction
    webhookMessage: [],
  }

  test('adds up its intents and permissions as the code does', () => {
    const { intents: told, permissions: may } = application
    const bits = (names: string[], values: object) =>
      names.reduce((sum, name) => sum | BigInt(Object.entries(values).find(([key]) => key === name)?.[1]), 0n)
    expect(told.names).toEqual(intentNames)
    expect(BigInt(told.bits)).toBe(bits(told.names, GatewayIntentBits))
    expect(told.bits).toBe(intents)
    expect(may.names).toEqual(permissionNames)
    expect(may.bits).toBe(String(bits(may.names, PermissionFlagsBits)))
    expect(may.bits).toBe(String(permissions))
    expect(application.invite.scopes).toEqual(inviteScopes)
    expect(application.invite.link).toBe(inviteLink('APPLICATION_ID'))
  })

  test('asks for the intents of the events that the bot handles, and names the privileged ones', () => {
    const events = found(text, /\bGatewayDispatchEvents\.(\w+)/g)
    expect(events.filter((event) => intentsOfEvents[event] === undefined)).toEqual([])
    const needed = new Set(events.flatMap((event) => intentsOfEvents[event] ?? []))
    expect(application.intents.names.toSorted()).toEqual([...needed].toSorted())
    const switches: Record<string, string> = {
      GuildMembers: 'SERVER MEMBERS INTENT',
      GuildPresences: 'PRESENCE INTENT',
      MessageContent: 'MESSAGE CONTENT INTENT',
    }
    expect(application.application.privileged_intents).toEqual([...needed].flatMap((name) => switches[name] ?? []))
  })

  test('asks for exactly the permissions that calls need', () => {
    const routes = found(text, /\bRoutes\.(\w+)/g)
    expect(routes.length).toBeGreaterThan(5)
    expect(routes.filter((route) => permissionsOfRoutes[route] === undefined)).toEqual([])
    const needed = new Set(routes.flatMap((route) => permissionsOfRoutes[route] ?? []))
    expect(application.permissions.names.toSorted()).toEqual([...needed].toSorted())
  })

  test('lists the registered commands and where they are offered, including every session command', () => {
    const written = commands.map((command) => ({
      name: command.name,
      kind: ApplicationCommandType[command.type],
      ...('description' in command && {
        description: command.description,
        subcommands: Object.fromEntries(command.options.map((part) => [usageOf(part), part.description])),
      }),
    }))
    expect(application.commands).toEqual(written)
    expectOffered(application.application, commands)
    const { with_user_install: more } = application.application
    expectOffered(more, commandsOfPeople)
    const [ask] = commandsOfPeople.slice(commands.length)
    expect(more.commands).toEqual(ask && 'description' in ask && { [usageOf(ask)]: ask.description })
    const offeredNames = Object.keys(application.commands[0]?.subcommands ?? {}).map((usage) => usage.split(' ')[0])
    expect(offeredNames.toSorted()).toEqual(sessionCommands.map(({ name }) => name).toSorted())
  })
})

function expectOffered(
  told: { install_contexts: string[]; interaction_contexts: string[] },
  list: { integration_types: readonly number[]; contexts: readonly number[] }[],
) {
  const ids = {
    installs: told.install_contexts.map((name) => installs[name]),
    contexts: told.interaction_contexts.map((name) => places[name]),
  }
  const offered = (of: 'integration_types' | 'contexts') => new Set(list.flatMap((command) => command[of]))
  expect(ids).toEqual({ installs: [...offered('integration_types')], contexts: [...offered('contexts')] })
}

const usageOf = ({ name, options = [] }: { name: string; options?: { name: string }[] }) =>
  [name, ...options.map((option) => `<${option.name}>`)].join(' ')

const installs: Record<string, ApplicationIntegrationType> = {
  guild: ApplicationIntegrationType.GuildInstall,
  user: ApplicationIntegrationType.UserInstall,
}
const places: Record<string, InteractionContextType> = {
  guild: InteractionContextType.Guild,
  bot_dm: InteractionContextType.BotDM,
  private_channel: InteractionContextType.PrivateChannel,
}
