import {
  type APIApplication,
  ApplicationCommandOptionType,
  ApplicationCommandType,
  ApplicationIntegrationType,
  InteractionContextType,
  type RESTPutAPIApplicationCommandsJSONBody,
} from 'discord.js'
import { discordWords } from '../words/words.ts'

/** The command of people who have added the bot to their own account. */
export const askName = 'ask'
/** In the menu of a message. */
export const askCommand = discordWords.askMessageCommand()

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
    description: discordWords.bobbinDescription(),
    options: [
      part('help', discordWords.helpDescription()),
      part('status', discordWords.statusDescription()),
      part('list', discordWords.listDescription(), {
        name: 'mine',
        description: discordWords.listMineOption(),
      }),
      part('resume', discordWords.resumeDescription(), {
        name: 'id',
        description: discordWords.resumeIdOption(),
      }),
      part('reset', discordWords.resetDescription()),
      part('delete', discordWords.deleteDescription(), {
        name: 'yes',
        description: discordWords.deleteYesOption(),
      }),
      part('model', discordWords.modelDescription(), {
        name: 'slot',
        description: discordWords.modelSlotOption(),
      }),
      part('use', discordWords.useDescription(), {
        name: 'slot',
        description: discordWords.useSlotOption(),
      }),
      part('cost', discordWords.costDescription()),
      part('alarm', discordWords.alarmDescription(), {
        name: 'when',
        description: discordWords.alarmWhenOption(),
      }),
      part('alarms', discordWords.alarmsDescription()),
      part('stop', discordWords.stopDescription()),
      part('retry', discordWords.retryDescription()),
      part('files', discordWords.filesDescription()),
      part('clean', discordWords.cleanDescription()),
      part('grants', discordWords.grantsDescription()),
      part('revoke', discordWords.revokeDescription(), { name: 'id', description: discordWords.revokeIdOption() }),
      part('plan', discordWords.planDescription(), {
        name: 'off',
        description: discordWords.planOffOption(),
      }),
      part('tools', discordWords.toolsDescription()),
      part('context', discordWords.contextDescription()),
      part('compact', discordWords.compactDescription(), {
        name: 'how',
        description: discordWords.compactHowOption(),
      }),
      part('skills', discordWords.skillsDescription(), {
        name: 'name',
        description: discordWords.skillsNameOption(),
      }),
      part('agents', discordWords.agentsDescription(), {
        name: 'off',
        description: discordWords.agentsOffOption(),
      }),
      part('mcp', discordWords.mcpDescription(), {
        name: 'server',
        description: discordWords.mcpServerOption(),
      }),
      part('why', discordWords.whyDescription(), {
        name: 'link',
        description: discordWords.whyLinkOption(),
      }),
    ],
  },
  { ...everywhere, type: ApplicationCommandType.Message, name: askCommand },
] satisfies RESTPutAPIApplicationCommandsJSONBody

/**
 * For people who have added the bot to their own account. It works in every server and direct message, also where the
 * bot isn't.
 */
const ask = {
  integration_types: [ApplicationIntegrationType.UserInstall],
  contexts: [InteractionContextType.Guild, InteractionContextType.BotDM, InteractionContextType.PrivateChannel],
  type: ApplicationCommandType.ChatInput as const,
  name: askName,
  description: discordWords.askDescription(),
  options: [
    {
      type: ApplicationCommandOptionType.String as const,
      name: 'question',
      description: discordWords.askQuestionOption(),
      required: true,
      max_length: 2_000,
    },
  ],
}

const forBoth = [ApplicationIntegrationType.GuildInstall, ApplicationIntegrationType.UserInstall]

/**
 * The commands of an application that people may add to their own account too. Messages of other servers can't be read.
 */
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
