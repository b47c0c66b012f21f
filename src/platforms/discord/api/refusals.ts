import { RESTJSONErrorCodes as Code } from 'discord.js'
import type { Again, Reason } from '../../platform.ts'
import { discordWords } from '../words/words.ts'

export type Refusal = Reason & { again: Again }

const permit = 'Give the bot’s role the permissions that the channel needs'
const unlock = 'Unlock or reopen the thread'

/** The token isn't accepted, so nothing at all can be posted. */
export const ofToken: Refusal = {
  again: 'repairable',
  why: 'Discord doesn’t accept the token',
  remedy: 'Copy the token again from “Bot” in the developer portal into DISCORD_TOKEN and restart Bobbin',
}

const table = new Map<number, Refusal>([
  [
    Code.CannotReplyWithoutPermissionToReadMessageHistory,
    { again: 'repairable', why: 'the bot may not read the message history', remedy: permit },
  ],
  [Code.MissingAccess, { again: 'repairable', why: 'the bot may not see the channel', remedy: permit }],
  [Code.MissingPermissions, { again: 'repairable', why: 'the bot lacks a permission in this channel', remedy: permit }],
  [
    Code.UnknownGuild,
    { again: 'repairable', why: 'the bot is no longer in this server', remedy: 'Add it to the server again' },
  ],
  [Code.InvalidActionOnArchivedThread, { again: 'repairable', why: 'the thread is archived', remedy: unlock }],
  [Code.ThreadLocked, { again: 'repairable', why: 'the thread is locked', remedy: unlock }],
  [Code.Unauthorized, ofToken],
  [
    Code.MaximumActiveThreads,
    {
      again: 'repairable',
      why: 'the server has as many threads as Discord allows',
      remedy: 'Close some of its threads',
    },
  ],
  [
    Code.CannotSendMessagesToThisUser,
    {
      again: 'repairable',
      why: 'the person doesn’t accept messages from the bot',
      remedy: 'Allow direct messages from members of the server',
    },
  ],
  [Code.FeatureTemporarilyDisabledServerSide, { again: 'repairable', why: 'Discord has switched this off for now' }],

  [
    Code.MaximumNumberOfEditsToMessagesOlderThanOneHourReached,
    { again: 'later', why: 'the message is edited too often' },
  ],
  [Code.APIResourceOverloaded, { again: 'later', why: 'Discord is overloaded' }],

  [Code.UnknownChannel, { again: 'never', why: 'the thread or channel is gone' }],
  [Code.UnknownMessage, { again: 'never', why: 'the message is gone' }],
  [Code.UnknownUser, { again: 'never', why: 'the person is gone' }],
  [Code.RequestEntityTooLarge, { again: 'never', why: 'Discord doesn’t accept files that large' }],
  [Code.MessageWasBlockedByAutomaticModeration, { again: 'never', why: "the server's AutoMod blocked the message" }],
])

/** What a refusal means. An unknown code is tried again if it is about permissions. */
export function refusalOf(code: number | undefined, status: number, said: string): Refusal {
  const known = table.get(code ?? -1)
  if (known !== undefined) return known
  if (status === 401) return ofToken
  return { again: status === 403 ? 'repairable' : 'never', why: discordWords.discordRefused({ said }) }
}
