import { createHash } from 'node:crypto'
import {
  type APIApplication,
  ApplicationCommandOptionType,
  ApplicationCommandType,
  ApplicationIntegrationType,
  InteractionContextType,
  type RESTPutAPIApplicationCommandsJSONBody,
  Routes,
} from 'discord.js'
import { reasonOf } from '../../../kit/failure.ts'
import type { Log } from '../../../kit/log.ts'
import type { Notes } from '../../platform.ts'
import type { DiscordApi } from '../api/api.ts'
import { discordWords } from '../words/words.ts'

/** The command of people who have added the bot to their own account. */
export const askName = 'ask'
/** In the menu of a message. */
export const askCommand = 'Ask bot about this message'

const part = (name: string, description: string, argument?: { name: string; description: string }) => ({
  type: ApplicationCommandOptionType.Subcommand as const,
  name,
  description,
  ...(argument !== undefined && {
    options: [{ type: ApplicationCommandOptionType.String as const, ...argument, max_length: 300 }],
  }),
})

const everywhere = {
  integration_types: [ApplicationIntegrationType.GuildInstall],
  contexts: [InteractionContextType.Guild, InteractionContextType.BotDM],
}

/** What Discord offers when somebody types a slash, or opens the menu of a message. */
export const commands = [
  {
    ...everywhere,
    type: ApplicationCommandType.ChatInput,
    name: 'bobbin',
    description: 'This thread’s status, and what you can do',
    options: [
      part('help', 'What I can do'),
      part('status', 'This thread’s status: messages, context, cost, files, what’s waiting'),
      part('list', 'The latest threads of this channel', {
        name: 'mine',
        description: '“mine”: only those that you started',
      }),
      part('resume', 'Continue what was interrupted', {
        name: 'id',
        description: 'The id of a thread; by default this one',
      }),
      part('reset', 'Forget what was said in this thread; its files stay'),
      part('delete', 'Delete everything I know about this thread, and its files; I ask first', {
        name: 'yes',
        description: '“yes”, once I have asked',
      }),
      part('model', 'Show or change the model that answers in this thread', {
        name: 'slot',
        description: 'The model to use, such as base or reasoning',
      }),
      part('use', 'Let another model answer in this thread only', {
        name: 'slot',
        description: 'The model to use, such as reasoning, or auto',
      }),
      part('cost', 'What this thread and this channel have cost'),
      part('alarm', 'Set an alarm that wakes me in this thread', {
        name: 'when',
        description: '“in 10 minutes: …”, “every weekday at 9: …”, or “cancel” and an id',
      }),
      part('alarms', 'List the alarms of this thread'),
      part('stop', 'Stop what I’m doing in this thread'),
      part('retry', 'Answer the last message again'),
      part('files', 'The files of this thread'),
      part('clean', 'Remove the files of this channel’s threads that nobody has used for a long time'),
      part('grants', 'What I may do in this thread without being asked'),
      part('revoke', 'Revoke a grant', { name: 'id', description: 'As “grants” shows it' }),
      part('plan', 'Plan mode: I only look and plan until somebody agrees', {
        name: 'off',
        description: '“off” ends it',
      }),
      part('tools', 'What I can use, and what you can load with @'),
      part('context', 'How much of this thread the model is sent, in tokens'),
      part('compact', 'Summarise this thread’s older messages for the model; the history stays', {
        name: 'how',
        description: '“auto”, “compact” or “summarize”',
      }),
      part('skills', 'The skills of this channel; switch one on or off, or go back to the version before', {
        name: 'name',
        description: 'A skill, such as “pdf”; or “on”, “off”, “back” or “remove” and its name',
      }),
      part('agents', 'The agents, and which one has this thread', {
        name: 'off',
        description: '“off” gets the bot itself back',
      }),
      part('mcp', 'The MCP servers; test, start or stop one, or log in', {
        name: 'server',
        description: 'A server; or “prompts”, “test”, “start”, “stop”, “login” or “logout” and its name',
      }),
      part('why', 'Why I didn’t answer a message', {
        name: 'link',
        description: 'A link to the message; by default the latest',
      }),
    ],
  },
  { ...everywhere, type: ApplicationCommandType.Message, name: askCommand },
] satisfies RESTPutAPIApplicationCommandsJSONBody

/** For people who have added the bot to their own account. It works in every server and conversation, also where the bot isn't. */
const ask = {
  integration_types: [ApplicationIntegrationType.UserInstall],
  contexts: [InteractionContextType.Guild, InteractionContextType.BotDM, InteractionContextType.PrivateChannel],
  type: ApplicationCommandType.ChatInput as const,
  name: askName,
  description: discordWords.askMeSomething(),
  options: [
    {
      type: ApplicationCommandOptionType.String as const,
      name: 'question',
      description: discordWords.whatYouWantToKnow(),
      required: true,
      max_length: 2_000,
    },
  ],
}

const forBoth = [ApplicationIntegrationType.GuildInstall, ApplicationIntegrationType.UserInstall]

/** The commands of an application that people may add to their own account too. Messages of other servers can't be read. */
export const commandsOfPeople = [
  ...commands.map((command) =>
    command.type === ApplicationCommandType.Message ? command : { ...command, integration_types: forBoth },
  ),
  ask,
] satisfies RESTPutAPIApplicationCommandsJSONBody

/** Whether people may add the bot to their own account: “User Install” in the developer portal. */
export const isForPeople = ({ integration_types_config: places }: APIApplication): boolean =>
  places?.[ApplicationIntegrationType.UserInstall] !== undefined

/** The commands of this application: what the developer portal switches off isn't offered. */
export const commandsFor = (application: APIApplication): typeof commands | typeof commandsOfPeople =>
  isForPeople(application) ? commandsOfPeople : commands

const noteName = 'discord.commands'

/** Registers our commands with Discord if they have changed. The bot goes on even if that fails. */
export async function registerCommands(
  application: string,
  { api, notes, log }: { api: DiscordApi; notes: Notes; log: Log },
): Promise<void> {
  try {
    const commands = commandsFor(await api.read<APIApplication>(Routes.currentApplication()))
    const hash = createHash('sha256')
      .update(JSON.stringify([application, commands]))
      .digest('hex')
    if ((await notes.get(noteName)) === hash) return
    await api.write(
      { bucket: 'commands', priority: 'card' },
      { method: 'PUT', route: Routes.applicationCommands(application), body: commands },
    )
    await notes.set(noteName, hash)
  } catch (thrown) {
    log.warn({ error: reasonOf(thrown) }, 'the slash commands could not be registered with Discord')
  }
}
